// What was played yesterday, from the RGS: a line for each currency, exact to the last digit.
// RGS_URL, OPERATOR_ID and OPERATOR_SECRET say where the RGS is and who calls; run it daily.
import { formatAmount } from 'rgs-wallet-kit';
import { createRgsClient, readExactAmount } from 'rgs-wallet-kit/client';

const { RGS_URL, OPERATOR_ID, OPERATOR_SECRET } = process.env;
const { DAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10) } = process.env;
const decimals = 4;

const rgs = createRgsClient({ baseUrl: RGS_URL, operatorId: OPERATOR_ID, secret: OPERATOR_SECRET });
const { records } = await rgs.getStats({
  filterBy: { dateFrom: DAY, dateToIncluding: DAY },
});

const totals = new Map();
for (const { currency, games, bet, win } of records) {
  const total = totals.get(currency) ?? { games: 0, staked: 0n, paid: 0n };
  total.games += games ?? 0;
  total.staked += readExactAmount(bet ?? '0', decimals); // a bigint: no float ever holds money
  total.paid += readExactAmount(win ?? '0', decimals);
  totals.set(currency, total);
}

console.log(`${DAY}: ${totals.size === 0 ? 'nothing was played' : ''}`.trimEnd());
for (const [currency, { games, staked, paid }] of totals) {
  const hundredths = staked > 0n ? (paid * 10_000n) / staked : 0n; // of a percent, cut off
  const rtp = `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`;
  const amounts = [staked, paid].map((units) => formatAmount(units, decimals));
  console.log(
    `${currency}: ${games} games, staked ${amounts[0]}, paid ${amounts[1]}, RTP ${rtp} %`,
  );
}
