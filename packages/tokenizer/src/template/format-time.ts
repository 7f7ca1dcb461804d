import { refused } from './template-failure.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** The local time as Python's `strftime` writes it in the C locale. */
export function formatTime(time: Date, format: string): string {
  return format.replace(/%(-?)([\s\S]?)/g, (whole, bare: string, directive: string) => {
    const part = DIRECTIVES[directive]?.(time);
    if (part === undefined) throw refused(`the time format ${JSON.stringify(whole)}`);
    return bare === '' ? part : part.replace(/^0+(?=\d)/, '');
  });
}

const DIRECTIVES: Readonly<Record<string, (time: Date) => string>> = {
  '%': () => '%',
  a: (time) => nameOf(DAYS, time.getDay()).slice(0, 3),
  A: (time) => nameOf(DAYS, time.getDay()),
  b: (time) => nameOf(MONTHS, time.getMonth()).slice(0, 3),
  B: (time) => nameOf(MONTHS, time.getMonth()),
  d: (time) => padded(time.getDate(), 2),
  e: (time) => String(time.getDate()).padStart(2, ' '),
  F: (time) => formatTime(time, '%Y-%m-%d'),
  H: (time) => padded(time.getHours(), 2),
  I: (time) => padded(time.getHours() % 12 || 12, 2),
  j: (time) => padded(dayOfYear(time), 3),
  m: (time) => padded(time.getMonth() + 1, 2),
  M: (time) => padded(time.getMinutes(), 2),
  p: (time) => (time.getHours() < 12 ? 'AM' : 'PM'),
  S: (time) => padded(time.getSeconds(), 2),
  T: (time) => formatTime(time, '%H:%M:%S'),
  y: (time) => padded(time.getFullYear() % 100, 2),
  Y: (time) => String(time.getFullYear()),
};

function nameOf(names: readonly string[], index: number): string {
  return names[index] ?? '';
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

function dayOfYear(time: Date): number {
  const start = Date.UTC(time.getFullYear(), 0, 1);
  const today = Date.UTC(time.getFullYear(), time.getMonth(), time.getDate());
  return (today - start) / 86_400_000 + 1;
}
