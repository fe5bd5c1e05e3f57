import { type Failure, type FaultCode, faultNames, type Tally } from '#simulator'

/** The figures that a run prints: schedules, steps, faults by code, crash points, invariants by code. */
export function renderTally(controller: string, tally: Tally, tookMs: number): string {
  const codes = (Object.keys(faultNames) as FaultCode[]).sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
  const faults = codes.map(code => `${code} ${tally.faults.get(code) ?? 0}`)
  const invariants = [...tally.invariants].sort(([a], [b]) => order(a) - order(b)).map(([code, count]) => `${code} ${count}`)
  return [
    `sim ${controller}: ${tally.schedules} schedules (${tally.singles} single faults, ${tally.pairs} pairs of kills, ${tally.randoms} random), ${tally.steps} steps in ${(tookMs / 1000).toFixed(1)} s`,
    `  crash points: ${tally.crashPoints}`,
    `  faults: ${faults.join(', ')}`,
    `  invariants checked: ${invariants.join(', ')}`,
    `  failures: ${tally.failures.length}`,
  ].join('\n')
}

/** A failure as it is found, in a line: what broke, and in which schedule. */
export function renderFound({ code, message, schedule: { seed, departures } }: Failure): string {
  const which = seed === 'clean' ? `the clean run with ${JSON.stringify(departures)}` : seed
  return `found in ${which}: ${code}: ${message.split('\n')[0]}`
}

function order(code: string): number {
  return 'SLDP'.indexOf(code[0] ?? '') * 100 + Number(code.slice(1) || 0)
}
