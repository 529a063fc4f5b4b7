import { decideApproval } from '../../../gameround/repairs/decision';
import { decideProposal } from '../../../gameround/repairs/propose';
import type { RepairRefusal } from '../../../gameround/repairs/order';
import { lapseOf } from '../../../gameround/repairs/standing';
import {
  type CreditRecord,
  needsAttention,
  type RepairKind,
  type RoundView,
} from '../../../gameround';
import { isUnpaid } from '../../../gameround/repairs/pay';
import { formatAmount } from '../../../../protocol/money/amount';
import type { Account, RoundKey } from '../../../wallet';
import type { OperationsSettings } from '../../configuration/options';
import type { Person } from '../../configuration/person';
import { checkRepairOptions } from '../../repairs/input';
import { queryStore } from '../query-store';

/** What would come of a repair, as far as is known now. Nothing is written. */
export interface RepairOutlook {
  /** Each kind, if it was proposed now; none while a proposal is open, and for a round that needs none. */
  readonly kinds: readonly KindOutlook[];
  /** Why this person's approval of the open proposal would be refused; null if it would not, or without one. */
  readonly approval: RepairRefusal | null;
  /** The currency in which the player lacks an account for a payment; null for none. */
  readonly lacks: string | null;
}

/** What would come of a proposal of one kind. */
export interface KindOutlook {
  readonly kind: RepairKind;
  readonly refusal: RepairRefusal | null;
  /** What it would give, below zero if it would take, real and bonus together, and of which hash; null if it is refused. */
  readonly amount: string | null;
  readonly currency: string | null;
}

const kinds = ['pay', 'void', 'resolve'] as const satisfies RepairKind[];

/**
 * The outlook of a round's repairs for a person: the decision of the rules, and whether the accounts exist. What is
 * decided later counts alone: the account may change until then.
 * @throws StoreUnavailableError
 */
export async function viewOutlook(
  settings: OperationsSettings & { readonly person: Person },
  round: RoundKey,
  view: RoundView,
): Promise<RepairOutlook> {
  const { store, person, clock, fourEyes, creditTo } = settings;
  const nothing: RepairOutlook = { kinds: [], approval: null, lacks: null };
  const { head } = view;
  if (store.repairs === undefined || !needsAttention(head.state)) return nothing;
  const { policy } = checkRepairOptions({ store, clock, fourEyes, creditTo });
  const { accounts } = await queryStore(clock, store.rounds.accounts(round));
  const now = clock.now();
  const by = { id: person.id, name: person.name };
  const context = { gameRound: round.gameRound, by, now, policy };
  const open = head.repairs?.list.find(
    (one) => one.status === 'proposed' && lapseOf(one, head, now) === null,
  );
  if (open !== undefined) {
    const ruling = decideApproval(open.id, view, context);
    if (ruling.kind === 'refused') return { ...nothing, approval: ruling.reason };
    const moved = ruling.kind === 'approved' ? ruling.change.movements : [];
    return { ...nothing, lacks: lackedBy(accounts, moved) };
  }
  return {
    ...nothing,
    lacks: lackedBy(accounts, unpaidIn(view)),
    kinds: kinds.map((kind) => {
      const order = { kind, reason: '', ...(kind === 'resolve' && { reference: '-' }) };
      const ruling = decideProposal(order, view, { ...context, id: '', accounts });
      if (ruling.kind === 'refused') {
        return { kind, refusal: ruling.reason, amount: null, currency: null };
      }
      const { purse, currency } = ruling.repair;
      return {
        kind,
        refusal: null,
        amount: formatAmount(purse.real + purse.bonus, store.decimals),
        currency,
      };
    }),
  };
}

/** The credits that may be owed. */
function unpaidIn({ head, entries }: RoundView): CreditRecord[] {
  return [...entries].flatMap(([hash, { transaction }]) =>
    transaction !== undefined && isUnpaid(hash, transaction, head) ? [transaction] : [],
  );
}

function lackedBy(
  accounts: readonly Account[] | null,
  moved: readonly { readonly currency: string }[],
): string | null {
  const found = moved.find(
    ({ currency }) => accounts?.some((one) => one.currency === currency) !== true,
  );
  return found?.currency ?? null;
}
