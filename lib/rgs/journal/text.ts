import { ownText } from '../../platform/own-text';
import type { JournalEvent } from './port';

/** Texts that were written by another part just before. */
const written = new WeakMap<JournalEvent, string>();

/**
 * An event as JSON, for a part that keeps it and hands it to a journal in the same go: the journal then keeps this text
 * and writes none of its own.
 * @throws TypeError for what is not JSON, such as a bigint.
 */
export function writeEvent(event: JournalEvent): string {
  const text = ownText(JSON.stringify(event));
  written.set(event, text);
  return text;
}

/**
 * An event as a journal writes it: by the text that was written for it just before, if there is one.
 * @throws TypeError for what is not JSON, such as a bigint.
 */
export function textOfEvent(event: JournalEvent): string {
  const known = written.get(event);
  if (known === undefined) return ownText(JSON.stringify(event));
  written.delete(event);
  return known;
}
