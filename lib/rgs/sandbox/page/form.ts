import type { PageAction } from './source';

const numbers = new Set(['next', 'probability', 'delayMs', 'advanceMs']);
const paths = ['clock', 'janitor', 'kill', 'faults', 'resolve', 'launch', 'play'] as const;

/** The page that shows what an action did. */
const shownOn = {
  clock: '/faults',
  janitor: '/faults',
  kill: '/faults',
  faults: '/faults',
  resolve: '/',
  launch: '/',
  play: '/',
} as const satisfies Record<PageAction['path'], string>;

/** A form that was posted: the action, and the page that shows what it did. Null for one that is not known. */
export function readForm(
  name: string,
  fields: URLSearchParams,
): { readonly action: PageAction; readonly shownOn: string } | null {
  if (name === 'clear-faults') {
    return { action: { method: 'DELETE', path: 'faults', body: {} }, shownOn: shownOn.faults };
  }
  const path = paths.find((known) => known === name);
  if (path === undefined) return null;
  const given = [...fields].filter(([, value]) => value.trim() !== '');
  const entries = given.map(([field, value]) => [
    field,
    numbers.has(field) ? Number(value) : value,
  ]);
  const body = Object.fromEntries(entries) as Record<string, string | number>;
  // The form offers both, and a probability is what was typed.
  if ('probability' in body) delete body['next'];
  // The line that was chosen stays chosen.
  const line =
    path === 'faults'
      ? `?${new URLSearchParams({ line: fields.get('line') ?? '' }).toString()}`
      : '';
  return { action: { method: 'POST', path, body }, shownOn: shownOn[path] + line };
}
