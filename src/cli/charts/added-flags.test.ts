// Flags of which an operator says that they only add something, and on which other flags that depends: a chart is not derived from each of
// their combinations, so each combination is held against it here, with two services in the place of all.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveChart, place } from '#manifests'
import type { ShapingFlag } from '#runtime'
import { evaluate } from '../../manifests/chart/evaluate.fixture.ts'
import { readOperatorFlags, settingsOf } from '../operator/flags.ts'
import { operators } from '../operators.ts'

type Derived = Awaited<ReturnType<typeof deriveChart>>

for (const operator of operators) {
  const { name, shaping = [], required = [] } = operator
  const isAdding = (flag: ShapingFlag): boolean => flag.kind === 'choice' && flag.addsBy !== undefined
  if (!shaping.some(isAdding)) continue
  const few = shaping.map((flag): ShapingFlag => (flag.kind === 'list' ? { ...flag, items: flag.items.slice(0, 2) } : flag))
  const ask: Parameters<typeof deriveChart>[2] = async (args, at) => {
    const needed = required.map(({ flag, sample }) => `--${flag}=${sample}`)
    const settings = readOperatorFlags([`--controllers=${name}`, ...needed, ...args], {})
    return operator.describe(settingsOf(settings, operator), at ?? place)
  }

  test(`what flags of ${name} add depends on no other flag than they say`, async () => {
    const apart = await deriveChart(few, [], ask)
    const whole = await deriveChart(few.map(dependingOnAll), [], ask)
    for (const holds of combinations(few, whole)) assert.deepEqual(partsAt(apart, holds), partsAt(whole, holds))
  })
}

function dependingOnAll(flag: ShapingFlag): ShapingFlag {
  return flag.kind === 'choice' ? { kind: flag.kind, flag: flag.flag, values: flag.values } : flag
}

/** Of the variables of each flag: those that can hold together. */
function combinations(shaping: readonly ShapingFlag[], { variables }: Derived): readonly ReadonlySet<string>[] {
  const of = (flag: string): readonly string[] => variables.filter(each => each.flag === flag).map(each => each.name)
  return shaping.reduce<readonly ReadonlySet<string>[]>(
    (found, flag) => found.flatMap(held => optionsOf(flag, of(flag.flag)).map(option => new Set([...held, ...option]))),
    [new Set<string>()],
  )
}

function optionsOf({ kind }: ShapingFlag, names: readonly string[]): readonly (readonly string[])[] {
  if (kind === 'list') return [...names.map(name => [name]), names]
  if (kind === 'namespaces') return [[], names.slice(0, 1), names]
  return [[], ...names.map(name => [name])]
}

function partsAt(chart: Derived, holds: ReadonlySet<string>): readonly string[] {
  const parts = [chart.rules, chart.crds, chart.webhooks, chart.webhookRules, chart.objects].flat()
  const there = parts.filter(({ when }) => evaluate(when, holds)).map(({ part }) => JSON.stringify(part))
  return [...new Set(there)].sort()
}
