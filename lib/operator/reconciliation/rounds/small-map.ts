/** Most entries that are searched one by one. */
const mostSearched = 16;

/**
 * A map by text that most often has less than five entries. Few are searched one by one, which takes less time and memory than
 * a Map does; of many a Map is made.
 */
export class SmallMap<Value> {
  #keys: string[] = [];
  #values: Value[] = [];
  #map: Map<string, Value> | null = null;

  has(key: string): boolean {
    return this.#map === null ? this.#keys.includes(key) : this.#map.has(key);
  }

  get(key: string): Value | undefined {
    return this.#map === null ? this.#values[this.#keys.indexOf(key)] : this.#map.get(key);
  }

  set(key: string, value: Value): void {
    if (this.#map !== null) return void this.#map.set(key, value);
    const at = this.#keys.indexOf(key);
    if (at >= 0) return void (this.#values[at] = value);
    this.#keys.push(key);
    this.#values.push(value);
    if (this.#keys.length <= mostSearched) return;
    this.#map = new Map(this.entries());
    [this.#keys, this.#values] = [[], []];
  }

  delete(key: string): void {
    if (this.#map !== null) return void this.#map.delete(key);
    const at = this.#keys.indexOf(key);
    if (at < 0) return;
    this.#keys.splice(at, 1);
    this.#values.splice(at, 1);
  }

  /** In the order in which they were first set. */
  keys(): Iterable<string> {
    return this.#map === null ? this.#keys : this.#map.keys();
  }

  entries(): Iterable<readonly [key: string, value: Value]> {
    if (this.#map !== null) return this.#map;
    return this.#keys.map((key, at) => [key, this.#values[at] as Value] as const);
  }
}
