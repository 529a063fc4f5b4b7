'use strict';

// Exact amounts: numbers of a message as integers in 1/10,000 of what the wire counts (D2.5).

/** A number's text as an exact decimal: `digits` times 10 to the power of minus `scale`; null if it is too long. */
function decimalOf(text) {
  const [, minus, whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === undefined || text.length > 40) return null;
  if (exponent.replace(/^[+-]/, '').length > 2) return null;
  const digits = BigInt(whole + fraction) * (minus === '-' ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

/** The shortest decimal form: `10.50` is `10.5`. */
function decimalText(digits, scale) {
  const minus = digits < 0n ? '-' : '';
  const padded = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const whole = padded.slice(0, padded.length - scale);
  const fraction = padded.slice(padded.length - scale).replace(/0+$/, '');
  return minus + whole + (fraction === '' ? '' : `.${fraction}`);
}

const DECIMALS = 4;
const MOST = 2n ** 53n - 1n;

/** An amount in 1/10,000 of what the wire counts; null for what this wallet cannot hold exactly. */
function unitsOf({ text }, plant) {
  if (plant('two-decimals-cut-by-floats') && decimalOf(text).scale > 2) return null;
  if (plant('decimals-refused') && text.includes('.')) return null;
  if (plant('amounts-by-parse-int')) return BigInt(Number.parseInt(text, 10)) * 10_000n;
  if (plant('amounts-in-32-bits')) return BigInt(Number(text) | 0) * 10_000n;
  if (plant('decimals-rounded')) return BigInt(Math.round(Number(text) * 10_000));
  const cents = centsByFloats(Number(text), plant);
  if (cents !== undefined) return kept(BigInt(cents) * 100n);
  if (plant('amounts-in-single-floats'))
    return kept(BigInt(Math.round(Math.fround(Number(text)) * 10_000)));
  const { digits, scale } = decimalOf(text);
  const excess = 10n ** BigInt(Math.max(0, scale - DECIMALS));
  if (digits % excess !== 0n) return null;
  const units = (digits / excess) * 10n ** BigInt(Math.max(0, DECIMALS - scale));
  if (plant('two-decimals-kept')) return kept((units / 100n) * 100n);
  if (plant('some-cents-lost') && units % 10_000n !== 0n && units % 700n === 300n)
    return kept(units - 100n);
  if (plant('some-hundredths-lost') && units % 10_000n === 5700n) return kept(units - 100n);
  return kept(units);
}

function kept(units) {
  return units > MOST ? null : units;
}

/** Cents as some wallets compute them; undefined where it is done right. */
function centsByFloats(amount, plant) {
  if (plant('two-decimals-cut-by-floats')) return Math.trunc(amount * 100);
  if (plant('cents-cut-by-floats')) return Math.trunc(amount * 100);
  if (plant('cents-rounded-half-up')) return Math.round(amount * 100);
  return plant('cents-by-to-fixed') ? Math.round(Number(amount.toFixed(2)) * 100) : undefined;
}

const amountText = (units) => decimalText(units, DECIMALS);

const floatOf = (units) => Number(amountText(units));

/** How the balance of an account and what moves it are added. */
function adder(plant) {
  let sum;
  if (plant('balance-cut-by-floats'))
    return (balance, units) => {
      sum = (sum ?? floatOf(balance)) + floatOf(units);
      return BigInt(Math.floor(sum * 10_000));
    };
  if (plant('balance-in-single-floats'))
    return (balance, units) =>
      BigInt(Math.round(Math.fround(floatOf(balance) + floatOf(units)) * 10_000));
  if (plant('balance-rounded-to-cents'))
    return (balance, units) => ((balance + units + 50n) / 100n) * 100n;
  return (balance, units) => balance + units;
}

module.exports = { adder, amountText, decimalOf, decimalText, unitsOf };
