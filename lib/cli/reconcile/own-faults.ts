import type { OwnCheck, OwnFault } from '../../operator/reconciliation/rounds/own-check';

/** What the own check found, as lines for a person. */
export function ownFaultLines({ faults, more }: OwnCheck): string[] {
  return [
    ...faults.map((fault) => `own check: ${faultText(fault)}`),
    ...(more === 0 ? [] : [`own check: ${more} more events`]),
    'Not compared: the events contradict each other, so the RGS was not asked.',
  ];
}

function faultText({ place, player, round, before }: OwnFault): string {
  const what =
    before === null
      ? 'its accounts are no amounts'
      : `the balance jumps: it does not follow from ${before} by what the event moved`;
  return `${place}: player ${player}${round === null ? '' : ` round ${round}`}: ${what}`;
}

/** The same as one JSON value. */
export function ownFaultsJson({ faults, more }: OwnCheck): object {
  return { verdict: 'contradictory', own: faults, more };
}
