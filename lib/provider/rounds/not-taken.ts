/** Most rounds that are remembered. */
const most = 10_000;

/**
 * The rounds that this client has reported as not taken. Where the RGS opens one nevertheless, because the
 * start was only late, it is voided and not ended (S2.2). A restart forgets them: your own book does not.
 */
export class NotTaken {
  readonly #rounds = new Set<string>();

  add(gameRound: string): void {
    this.#rounds.add(gameRound);
    const [oldest] = this.#rounds;
    if (this.#rounds.size > most && oldest !== undefined) this.#rounds.delete(oldest);
  }

  has(gameRound: string): boolean {
    return this.#rounds.has(gameRound);
  }
}
