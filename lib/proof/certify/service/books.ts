import { formatAmount } from '../../../protocol/money';
import { type CaseContext, CaseFailure, decimals, described, NotTried } from '../talk';
import { ServiceRound } from './round';

/** The players of a case that plays several rounds at one time: the second one too, if there is one. */
export function playersOf(context: CaseContext): readonly string[] {
  try {
    return [context.playerId, context.otherPlayerId()];
  } catch (error) {
    if (error instanceof NotTried) return [context.playerId];
    throw error;
  }
}

/** The service's books: what each player had at the start, and every round since. */
export class Books {
  readonly rounds: ServiceRound[] = [];
  private readonly start = new Map<string, bigint>();

  private constructor(private readonly context: CaseContext) {}

  /** Opens the books. @throws Undecided if a balance cannot be read. */
  static async open(context: CaseContext): Promise<Books> {
    const books = new Books(context);
    for (const playerId of playersOf(context)) {
      books.start.set(playerId, await context.balance(playerId));
    }
    return books;
  }

  get playerIds(): readonly string[] {
    return [...this.start.keys()];
  }

  /** A new round, which counts from now on. */
  begin(playerId: string): ServiceRound {
    const round = new ServiceRound(this.context, playerId);
    this.rounds.push(round);
    return round;
  }

  /** Has everything decided that is in doubt. @throws CaseFailure if the wallet does not decide it. */
  async repair(): Promise<void> {
    for (const round of this.rounds) {
      const answer = await round.repair();
      if (answer === null) continue;
      const message = `what was in doubt must be decided in the end, but came ${described(answer)}`;
      throw new CaseFailure(message, { exchange: answer.exchange });
    }
  }

  /** @throws CaseFailure unless the wallet has the same money: start - effective debits + effective credits. */
  async compare(when: string): Promise<void> {
    for (const [playerId, start] of this.start) {
      const rounds = this.rounds.filter((round) => round.playerId === playerId);
      const mustBe = rounds.reduce((sum, { net }) => sum + net, start);
      const balance = await this.context.balance(playerId);
      if (balance === mustBe) continue;
      const [wanted, came] = [mustBe, balance].map((units) => formatAmount(units, decimals));
      const message = `the balance of ${playerId} must be ${wanted} ${when}, but it is ${came}`;
      throw new CaseFailure(message, { details: doubtsOf(rounds) });
    }
  }
}

/** Rounds that had a call in doubt, as lines. */
function doubtsOf(rounds: readonly ServiceRound[]): string[] {
  return rounds
    .filter(({ callsInDoubt }) => callsInDoubt > 0)
    .map(({ gameRound, withdrawn, net }) => {
      const voided = withdrawn.map(({ hash }) => hash).join(', ');
      const what = voided === '' ? 'a credit or an end was sent again' : `voided: ${voided}`;
      return `round ${gameRound}: a call was in doubt; ${what}; its net is ${formatAmount(net, decimals)}`;
    });
}
