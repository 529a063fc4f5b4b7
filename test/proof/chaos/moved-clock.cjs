// Loaded into a process of the wallet before all else: a message moves the wall clock of that process alone.
const RealDate = Date;
let offsetMs = 0;
const now = () => RealDate.now() + offsetMs;

const MovedDate = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, args, newTarget) =>
    Reflect.construct(
      target,
      args.length === 0 ? [now()] : args,
      newTarget === MovedDate ? target : newTarget,
    ),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
globalThis.Date = MovedDate;

process.on('message', ({ moveClockMs }) => {
  offsetMs = moveClockMs;
  process.send({ clockMovedMs: moveClockMs });
});
// The process ends as if nobody could send it anything.
process.channel.unref();
