import type { Clock, Random } from '../../../platform';
import { fetchWhole } from '../../../platform/http/fetch-whole';
import { withDeadline } from '../../../platform/within';
import { imprintOf, nonceBytes, nonceOf, timestampQuery } from '../timestamp/query';
import { longestReply, readTimestampReply } from '../timestamp/reply';
import type { Anchor } from './anchor';

/** How long a time authority may take, in milliseconds. */
const answerMs = 20_000;
/** Public authorities ask for moderation. */
const everyMs = 3_600_000;

/**
 * A time authority of RFC 3161: its reply says when the checkpoint was there, and joins the folder. It is asked for the first
 * checkpoint, one an hour, and the last one. Over https its server is authenticated by the authorities that Node trusts.
 * @param url Where it takes queries; http or https. What is after `?` is never in a log.
 */
export function timeAuthority(url: string, ports: { clock: Clock; random: Random }): Anchor {
  const { origin, pathname, search } = new URL(url);
  const ask = async (note: string): Promise<Buffer> => {
    const [imprint, nonce] = [imprintOf(note), nonceOf(ports.random.bytes(nonceBytes))];
    const request = {
      method: 'POST',
      target: `${pathname}${search}`,
      rawHeaders: ['content-type', 'application/timestamp-query'],
      body: timestampQuery(imprint, nonce),
    };
    const { status, body } = await withDeadline(ports.clock, answerMs, (until) =>
      fetchWhole(url, request, until, longestReply),
    );
    if (status !== 200) throw new Error(`the time authority answered HTTP ${status}`);
    if (body.length > longestReply) throw new Error('the reply of the time authority is too long');
    const reply = readTimestampReply(body);
    if (!reply.imprint.equals(imprint)) throw new Error('the time stamp is of something else');
    if (reply.nonce?.equals(nonce) !== true) throw new Error('the time stamp is of another query');
    return body;
  };
  return {
    name: `rfc3161+${origin}${pathname}`,
    everyMs,
    anchor: async ({ size, note }, log) => {
      await log.keepTimestamp(size, await ask(note));
      return '';
    },
  };
}
