/**
 * Refuses a switch that is neither true, false nor undefined: a text such as 'false' would silently count as
 * what is set by default.
 * @throws TypeError that names the option.
 */
export function checkSwitches(options: object, names: readonly string[]): void {
  const values = options as Readonly<Record<string, unknown>>;
  for (const name of names) {
    const value = values[name];
    if (value !== undefined && typeof value !== 'boolean') {
      throw new TypeError(`${name} must be true or false`);
    }
  }
}

/**
 * Refuses a part that lacks a method, unless the part is undefined: the first call would fail in the middle
 * of other work.
 * @throws TypeError that names the option and the method.
 */
export function checkPart(name: string, part: unknown, methods: readonly string[]): void {
  if (part === undefined) return;
  const object = Object(part) as Readonly<Record<string, unknown>>;
  for (const method of methods) {
    if (typeof object[method] !== 'function') {
      throw new TypeError(`${name} must have a function ${method}`);
    }
  }
}

/**
 * Refuses anything but an object with its own options, or undefined.
 * @throws TypeError that names the option.
 */
export function checkObject(name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return;
  throw new TypeError(`${name} must be an object`);
}

/**
 * Refuses anything but a text, or undefined; the value is not repeated, because it may hold a password.
 * @throws TypeError that names the option.
 */
export function checkText(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'string') {
    throw new TypeError(`${name} must be a text`);
  }
}
