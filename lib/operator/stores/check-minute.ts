import { type KeptMinute, longestMinute, mostMinutes } from '../wallet';
import { wrongForm } from './check-input';

const processForm = /^[\w-]{1,32}$/;
const textForm = /^[ -~]*$/;

/** The year 17,000: a whole number in every store. */
const lastMinute = 2 ** 33;

/** @throws InvalidInputError or TypeError that names what is wrong. */
export function checkMinute(row: KeptMinute): void {
  const { minute, process, text } = Object(row) as KeptMinute;
  if (!isMinute(minute)) throw new TypeError('minute must be whole minutes since 1970');
  if (!isOf(processForm, process, 32)) {
    const rule = 'process must be 1 to 32 letters, digits, - and _';
    throw wrongForm('process', process, rule);
  }
  if (!isOf(textForm, text, longestMinute)) {
    const rule = `text must be at most ${longestMinute} characters of printable ASCII`;
    throw wrongForm('text', text, rule);
  }
}

/** @throws TypeError unless it is a range that can be read at once. */
export function checkMinutes(from: number, to: number): void {
  if (isMinute(from) && isMinute(to) && from <= to && to - from <= mostMinutes) return;
  throw new TypeError(`from and to must be minutes since 1970, at most ${mostMinutes} of them`);
}

/** A row as it was found; null for what no process has saved. */
export function foundMinute(minute: number, process: unknown, text: unknown): KeptMinute | null {
  const isRow =
    isMinute(minute) && isOf(processForm, process, 32) && isOf(textForm, text, longestMinute);
  return isRow ? { minute, process, text } : null;
}

function isMinute(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= lastMinute
  );
}

function isOf(form: RegExp, value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.length <= longest && form.test(value);
}
