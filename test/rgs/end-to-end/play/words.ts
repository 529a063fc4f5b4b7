/** The words of a step, such as `win 250 collect as w1`. */
export class Words {
  readonly #words: readonly string[];

  constructor(step: string) {
    this.#words = step.split(/\s+/);
  }

  /** The word in this place. */
  at(place: number): string {
    return this.#words[place] ?? '';
  }

  /** Whether the step says this word. */
  says(word: string): boolean {
    return this.#words.includes(word);
  }

  /** The word after this one; undefined if there is none. */
  after(word: string): string | undefined {
    const place = this.#words.indexOf(word);
    return place < 0 ? undefined : this.#words[place + 1];
  }

  /** The amount after this word; undefined if there is none. */
  amountAfter(word: string): number | undefined {
    const text = this.after(word);
    return text === undefined ? undefined : Number(text);
  }

  /** The amount in this place; undefined if there is none. */
  amountAt(place: number): number | undefined {
    return /^\d+$/.test(this.at(place)) ? Number(this.at(place)) : undefined;
  }
}
