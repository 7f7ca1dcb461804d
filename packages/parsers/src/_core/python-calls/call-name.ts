import { endBefore } from '../end-before.ts';

const notInName = /[\s()[\]{}<>"',;:=]/g;

/** Index of the first character that cannot stand in the name of a function. */
export function callNameEnd(text: string, from: number): number {
  return endBefore(notInName, text, from);
}

/** Whether Python would take it for a name; dots and hyphens may part it. */
export function isCallName(name: string): boolean {
  return /^[\p{L}_]/u.test(name) && name.split(/[.-]/).every(isNamePart);
}

function isNamePart(part: string): boolean {
  return part !== '' && !/[^\p{L}\p{N}_]/u.test(part);
}
