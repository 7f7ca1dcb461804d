const STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'] as const;
type Status = (typeof STATUSES)[number];

/** Something to do. */
export type Todo = Readonly<{ id: string; content: string; status: Status }>;

/** A thing to do as a model gives it: any part may be missing or unknown. */
type GivenTodo = Readonly<Partial<Record<'id' | 'content' | 'status', unknown>>>;

/** The list of one rollout. */
export interface TodoList {
  items(): readonly Todo[];
  replace(given: readonly GivenTodo[]): void;
  /** Changes what is given of the known ones, adds the others; those without an id are left out. */
  merge(given: readonly GivenTodo[]): void;
}

/** An empty list. */
export function createTodoList(): TodoList {
  let list: readonly Todo[] = [];
  return {
    items: () => list,
    replace(given) {
      list = lastOfEach(given.map((item) => completed(item)));
    },
    merge(given) {
      const merged = new Map(list.map((item) => [item.id, item]));
      for (const item of given) {
        const id = textOf(item.id);
        if (id !== null) merged.set(id, completed(item, merged.get(id)));
      }
      list = [...merged.values()];
    },
  };
}

/** How many there are, and how many of each status. */
export function summaryOf(items: readonly Todo[]): Readonly<Record<'total' | Status, number>> {
  const count = (status: Status): number => items.filter((item) => item.status === status).length;
  return {
    total: items.length,
    pending: count('pending'),
    in_progress: count('in_progress'),
    completed: count('completed'),
    cancelled: count('cancelled'),
  };
}

/** What is not given stays as it was. */
function completed(given: GivenTodo, known?: Todo): Todo {
  return {
    id: textOf(given.id) ?? '?',
    content: textOf(given.content) ?? known?.content ?? '(no description)',
    status: statusOf(given.status) ?? known?.status ?? 'pending',
  };
}

/** Of several with one id the last counts, in its place. */
function lastOfEach(items: readonly Todo[]): readonly Todo[] {
  return items.filter(({ id }, index) => !items.some((other, at) => at > index && other.id === id));
}

/** null: nothing that could be shown. */
function textOf(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? null : text;
}

function statusOf(value: unknown): Status | null {
  return STATUSES.find((status) => status === textOf(value)?.toLowerCase()) ?? null;
}
