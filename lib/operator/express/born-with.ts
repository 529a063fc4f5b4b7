/** A constructor of Node's, such as http.IncomingMessage. */
type Maker<T> = new (...args: never[]) => T;

/**
 * A constructor that does what `base` does, and whose objects have `prototype` as theirs from the
 * start. The base is called as a function, as Node's own http classes call theirs: only so does V8
 * keep one hidden class for all the objects. (Reflect.construct makes one for each, which is
 * slower than the change of prototype that is to be saved.) It is the constructor's own prototype
 * too: V8 counts what the constructors up that chain assign, and keeps room for it in the object;
 * without that room a response becomes a dictionary.
 *
 * A base that is an ES class cannot be called, so it is given back as it is.
 */
export function bornWith<T extends object>(base: Maker<T>, prototype: T): Maker<T> {
  if (/^class\b/.test(Function.prototype.toString.call(base))) return base;
  function Born(this: T, ...args: unknown[]): void {
    Reflect.apply(base, this, args);
  }
  Object.setPrototypeOf(Born, base);
  Born.prototype = prototype;
  return Born as unknown as Maker<T>;
}
