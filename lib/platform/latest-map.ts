/** A map of the entries that were set last: beyond the limit, the one that was set longest ago is dropped. */
export class LatestMap<V> extends Map<string, V> {
  constructor(private readonly most: number) {
    super();
  }

  override set(key: string, value: V): this {
    this.delete(key);
    super.set(key, value);
    const [oldest] = this.keys();
    if (this.size > this.most && oldest !== undefined) this.delete(oldest);
    return this;
  }
}
