import { MessageFault } from '../../json';
import { EngineRefusedError } from '../errors';

const amount = 'E4.1';
const identifier = 'E4.2';
const flag = 'E4.3';

/** The rule that a member's value is held to; C1 for all others, and for one that is missing. */
const rules = new Map([
  ['debitAmount', amount],
  ['creditAmount', amount],
  ['winAmount', amount],
  ['wagerAmount', amount],
  ['amount', amount],
  ['stake', amount],
  ['gameRound', identifier],
  ['externalGameProviderRoundId', identifier],
  ['externalGameProviderTransactionId', identifier],
  ['rngCallId', identifier],
  ['jackpotId', identifier],
  ['endGame', flag],
  ['collect', flag],
  ['closeOpenGame', flag],
  ['useJackpot', flag],
  ['useTicket', flag],
  ['currency', 'E4.4'],
  ['counterType', 'E11.1'],
  ['awarded', 'E11.1'],
  ['used', 'E11.1'],
  ['gameStateResult', 'E11.3'],
  ['data', 'E20.2'],
  ['expires', 'E20.3'],
  ['rngEndPoint', 'E22.1'],
  ['rngPayload', 'E22.1'],
  ['count', 'E22.1'],
  ['min', 'E22.1'],
  ['max', 'E22.1'],
]);

/**
 * Reads a request; one with a wrong field is refused by 19, which names the field and its rule, never its
 * value.
 * @param rule Of every field; that of each unless given.
 * @throws EngineRefusedError
 */
export function orRefused<Request>(read: () => Request, rule: string | null = null): Request {
  try {
    return read();
  } catch (error) {
    throw error instanceof MessageFault ? refusalOf(error, rule) : error;
  }
}

function refusalOf(
  { pointer, problem }: MessageFault,
  ruleOfAll: string | null,
): EngineRefusedError {
  const field = namesOf(pointer);
  const own = rules.get(field.at(-1) ?? '');
  const ruleOfField = problem === 'is missing' && own !== 'E20.2' ? 'C1' : (own ?? 'C1');
  const where = field.length === 0 ? 'the request' : field.join('/');
  return new EngineRefusedError(
    'INVALIDPARAMETER',
    ruleOfAll ?? ruleOfField,
    undefined,
    `${where} ${problem}`,
  );
}

/** The steps of a pointer that are names of fields: those below betData are the sender's own. */
function namesOf(pointer: string): readonly string[] {
  const steps = pointer.split('/').slice(1);
  const end = steps.indexOf('betData');
  return end < 0 ? steps : steps.slice(0, end + 1);
}
