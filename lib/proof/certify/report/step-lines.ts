import { curlOf, type Exchange } from '../client';
import type { Step } from '../talk/case';
import { messageText, readableReply, shownCurl, visibleLine } from './readable';

/** Most characters of an answer. */
const mostAnswered = 300;

/** Steps as lines for a shell: each call as a curl line, what was answered as a comment after it. */
export function linesOf(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => {
    if (typeof step === 'string') return [`# ${visibleLine(step)}`];
    const { method, path } = step.request;
    const bare = visibleLine(
      `# ${method} ${path.slice(0, mostAnswered)}, in bytes that a shell does not take`,
    );
    return [shownCurl(curlOf(step)) ?? bare, `#   ${answerOf(step)}`];
  });
}

function answerOf(exchange: Exchange): string {
  const { line, body, note } = readableReply(exchange);
  const text = visibleLine(messageText({ line, headers: [], body, note }));
  return text.length <= mostAnswered ? text : `${text.slice(0, mostAnswered).toWellFormed()}…`;
}
