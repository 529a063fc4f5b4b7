import {
  approveRepair,
  type ApproveRepairResult,
  rejectRepair,
  type RejectRepairResult,
} from './repairs/decision';
import { proposeRepair, type ProposeRepairResult } from './repairs/propose';
import type { RepairOptions } from './repairs/input';
import { repairRefusalText } from './repairs/refusals';
import { StoreUnavailableError, type RoundKey } from '../wallet';
import { roundHref } from './page/links';
import { RequestFault, roundOf } from './view/request';
import { type Answer, type PageRequest, actorOf, checked, reasonOf } from './request';

/** Proposes a repair and redirects to the round. */
export async function propose(request: PageRequest): Promise<Answer> {
  const round = roundOf(request);
  const { fields } = request;
  const [hash, reference] = [fields.get('hash') ?? '', fields.get('reference') ?? ''];
  const order = {
    kind: fields.get('kind') as 'pay',
    reason: reasonOf(fields),
    ...(hash === '' ? {} : { hash }),
    ...(reference === '' ? {} : { reference }),
  };
  const options = optionsOf(request);
  const result = await checked(() => proposeRepair(round, order, actorOf(request), options));
  return moved(round, result, 'proposed');
}

/** Approves a repair, which makes it, and redirects to the round. */
export async function approve(request: PageRequest): Promise<Answer> {
  const round = roundOf(request);
  const options = optionsOf(request);
  const id = repairIdOf(request);
  const result = await checked(() => approveRepair(round, id, actorOf(request), options));
  const isReplay = result.kind === 'made' && result.replay;
  return moved(round, result, isReplay ? 'made-before' : 'made');
}

/** Rejects a proposal, or withdraws one's own, and redirects to the round. */
export async function reject(request: PageRequest): Promise<Answer> {
  const round = roundOf(request);
  const options = optionsOf(request);
  const [id, reason] = [repairIdOf(request), reasonOf(request.fields)];
  const result = await checked(() => rejectRepair(round, id, actorOf(request), reason, options));
  return moved(round, result, 'rejected');
}

function moved(
  round: RoundKey,
  result: ProposeRepairResult | ApproveRepairResult | RejectRepairResult,
  did: string,
): Answer {
  if (result.kind === 'refused') throw new RequestFault(409, repairRefusalText(result));
  if (result.kind === 'unknown') throw new StoreUnavailableError(result.cause.message);
  return { kind: 'moved', to: roundHref(round, did) };
}

/** @throws RequestFault if the store keeps no repairs. */
function optionsOf({ store, clock, fourEyes, creditTo }: PageRequest): RepairOptions {
  if (store.repairs !== undefined) return { store, clock, fourEyes, creditTo };
  throw new RequestFault(501, 'This store keeps no repairs.');
}

function repairIdOf({ fields }: PageRequest): string {
  const id = fields.get('repair') ?? '';
  if (/^[\w-]{1,64}$/.test(id)) return id;
  throw new RequestFault(400, 'The id of the repair is missing.');
}
