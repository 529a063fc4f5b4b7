/** Texts of one object or array; searched linearly while they are few, as in any message of the protocol. */
interface HeldTexts {
  readonly keys: (string | number)[];
  readonly texts: string[];
  /** Built on the first search among many. */
  byPlace: Map<string, string> | null;
}

const few = 16;

/** The texts of the numbers of a parsed message, by container (object or array) and key. */
export class NumberTexts {
  readonly #byContainer = new Map<object, HeldTexts>();
  #container: object | null = null;
  #held: HeldTexts = { keys: [], texts: [], byPlace: null };

  /** Stores the text of the number that `container` holds under `key`; it has none yet. */
  keep(container: object, key: string | number, text: string): void {
    if (container !== this.#container) this.#moveTo(container);
    this.#held.keys.push(key);
    this.#held.texts.push(text);
  }

  /** The stored text; undefined if there is none. */
  find(container: object, key: string | number): string | undefined {
    const held = this.#byContainer.get(container);
    if (held === undefined) return undefined;
    const { keys, texts } = held;
    if (keys.length > few) return (held.byPlace ??= byPlace(held)).get(placeOf(key));
    const wanted = String(key);
    for (let at = 0; at < keys.length; at++) if (String(keys[at]) === wanted) return texts[at];
    return undefined;
  }

  #moveTo(container: object): void {
    this.#container = container;
    const known = this.#byContainer.get(container);
    this.#held = known ?? { keys: [], texts: [], byPlace: null };
    if (known === undefined) this.#byContainer.set(container, this.#held);
  }
}

function byPlace({ keys, texts }: HeldTexts): Map<string, string> {
  return new Map(keys.map((key, at) => [placeOf(key), texts[at] ?? '']));
}

/**
 * A key for a Map. Some versions of V8 hash a text of digits predictably, so a message's keys could be
 * chosen to collide; after another character V8 hashes it with a seed.
 */
function placeOf(key: string | number): string {
  const text = String(key);
  const first = text.charCodeAt(0);
  return (first >= 0x30 && first <= 0x39) || first === 0x23 ? `#${text}` : text;
}
