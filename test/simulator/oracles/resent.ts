import type { ListedHash } from '../../../lib/rgs/settlement/answer';
import type { World } from '../world/scheduler';
import type { BookedItem } from './booked-item';

/** The id of a refusal of other content (D3.2). */
const otherContent = 37;

/** What a reply tells of what was taken back before it was sent again (D3.1). */
export function hearGone(
  world: World,
  round: string,
  gone: readonly BookedItem[],
  listed: readonly ListedHash[],
): void {
  for (const { hash, error } of listed) {
    if (error !== null || !gone.some((item) => item.hash === hash)) continue;
    world.fail('D3.1', `${round}: ${hash} is processed after its void`);
  }
}

/** What a reply tells of the same hashes with other content (D3.2). */
export function hearOther(
  world: World,
  round: string,
  items: readonly BookedItem[],
  listed: readonly ListedHash[],
): void {
  for (const { hash, error } of listed) {
    const item = items.find((one) => one.hash === hash);
    if (item === undefined || error?.id === otherContent) continue;
    const outcome = error === null ? 'processed' : error.id;
    world.fail('D3.2', `${round}: ${hash} with another amount was answered ${outcome}`);
  }
}
