/** Units of a decimal text of an event, which may be below zero. */
export function unitsOf(text: string, decimals: number): bigint {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const [, sign, whole = '', part = ''] = parts ?? [];
  if (parts === null || part.length > decimals) throw new Error(`${text} is no amount`);
  const units = BigInt(whole + part.padEnd(decimals, '0'));
  return sign === '-' ? -units : units;
}
