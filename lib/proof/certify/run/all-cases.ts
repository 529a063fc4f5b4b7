import { type Case, groups } from '../talk/case';
import { basics } from '../cases/basics';
import { blocks } from '../cases/blocks';
import { crashes } from '../cases/crashes';
import { histories } from '../cases/histories/random-histories';
import { load } from '../cases/load/under-load';
import { callSize } from '../cases/rounds/call-size';
import { concurrency } from '../cases/rounds/concurrency';
import { credits } from '../cases/rounds/credits';
import { discounts } from '../cases/rounds/discounts';
import { failedDebits } from '../cases/rounds/failed-debits';
import { freePlays } from '../cases/rounds/free-plays';
import { idempotency } from '../cases/rounds/idempotency';
import { keyReuse } from '../cases/rounds/key-reuse';
import { memory } from '../cases/rounds/memory';
import { ordering } from '../cases/rounds/ordering';
import { partialOutcomes } from '../cases/rounds/partial-outcomes';
import { states } from '../cases/rounds/states';
import { voids } from '../cases/rounds/voids';
import { voidsAndRounds } from '../cases/rounds/voids-and-rounds';
import { amountCases } from '../cases/transport/amounts';
import { getBalanceCases } from '../cases/transport/get-balance';
import { identifierCases } from '../cases/transport/identifiers';
import { replayCases } from '../cases/transport/replay';
import { requestFormCases } from '../cases/transport/request-form';
import { retentionCases } from '../cases/transport/retention';
import { robustnessCases } from '../cases/transport/robustness';
import { signatureCases } from '../cases/transport/signature';
import { signatureFormCases } from '../cases/transport/signature-forms';
import { signedFieldCases } from '../cases/transport/signed-fields';
import { spellingCases } from '../cases/transport/spelling';
import { tenancyCases } from '../cases/transport/tenancy';
import { timestampCases } from '../cases/transport/timestamps';

const unordered: readonly Case[] = [
  basics,
  // The life of a round: what is taken and paid, and when.
  ordering,
  partialOutcomes,
  failedDebits,
  idempotency,
  keyReuse,
  memory,
  callSize,
  voids,
  voidsAndRounds,
  states,
  credits,
  concurrency,
  freePlays,
  discounts,
  // Who calls, and in what form, whatever it moves.
  signatureCases,
  signedFieldCases,
  signatureFormCases,
  timestampCases,
  requestFormCases,
  spellingCases,
  identifierCases,
  amountCases,
  getBalanceCases,
  tenancyCases,
  replayCases,
  robustnessCases,
  retentionCases,
  histories,
  crashes,
  load,
  blocks,
].flat();

/** All cases, in the order in which they are played: group by group. */
export const allCases: readonly Case[] = groups.flatMap((name) =>
  unordered.filter(({ group }) => group === name),
);
