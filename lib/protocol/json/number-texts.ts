/** Texts of one object or array; searched one by one while they are few, as in any message of the protocol. */
interface HeldTexts {
  readonly keys: (string | number)[];
  readonly texts: string[];
  /** Made when there are many and one is asked for. */
  byPlace: Map<string, string> | null;
}

const few = 16;

/** The texts of numbers of a parsed message, by the object or array they stand in and their place there. */
export class NumberTexts {
  readonly #byContainer = new Map<object, HeldTexts>();
  #container: object | null = null;
  #held: HeldTexts = { keys: [], texts: [], byPlace: null };

  /** Notes the text of the number that `container` holds under `key`, which has none yet. */
  keep(container: object, key: string | number, text: string): void {
    if (container !== this.#container) this.#moveTo(container);
    this.#held.keys.push(key);
    this.#held.texts.push(text);
  }

  /** The text that was noted; undefined where none was. */
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
 * A key as it stands in a Map. Some versions of V8 hash a text of digits in a way that can be foreseen,
 * so that the keys of a message could be chosen to collide; behind another character they hash it by a
 * seed.
 */
function placeOf(key: string | number): string {
  const text = String(key);
  const first = text.charCodeAt(0);
  return (first >= 0x30 && first <= 0x39) || first === 0x23 ? `#${text}` : text;
}
