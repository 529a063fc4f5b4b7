/** A constructor of Node's, such as http.IncomingMessage. */
type Maker<T> = new (...args: never[]) => T;

/**
 * A constructor that does what `base` does, and whose objects have `prototype` as their prototype from the
 * start. It calls the base as a function, as Node's own http classes do: only then does V8 keep one hidden
 * class for all objects. (Reflect.construct makes one for each, which is slower than the change of
 * prototype that this avoids.) `prototype` is also the constructor's own prototype: V8 counts what the
 * constructors up that chain assign and reserves room for it in the object; without that room a response
 * becomes a dictionary.
 *
 * An ES class cannot be called, so such a base is returned unchanged.
 */
export function withPrototype<T extends object>(base: Maker<T>, prototype: T): Maker<T> {
  if (/^class\b/.test(Function.prototype.toString.call(base))) return base;
  function Born(this: T, ...args: unknown[]): void {
    Reflect.apply(base, this, args);
  }
  Object.setPrototypeOf(Born, base);
  Born.prototype = prototype;
  return Born as unknown as Maker<T>;
}
