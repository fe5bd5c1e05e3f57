// A person's values over those of a chart, as Helm puts them together: maps grow into each other, anything else takes the place of what was.
import { isRecord } from '#base'

/** Takes away each value that a person set to `null`. */
export function mergeValues<Values extends object>(defaults: Values, given: object): Values {
  return withoutNulls(defaults, given) as Values
}

/** Merges several files and pairs of a person. A `null` is kept: it is meant for the values of the chart. */
export function mergeGiven(first: object, second: object): object {
  return merged(first, second) as object
}

function withoutNulls(defaults: unknown, given: unknown): unknown {
  if (!isRecord(defaults) || !isRecord(given)) return given
  const names = namesOf(defaults, given).filter(name => given[name] !== null)
  return Object.fromEntries(names.map(name => [name, name in given ? withoutNulls(defaults[name], given[name]) : defaults[name]]))
}

function merged(first: unknown, second: unknown): unknown {
  if (!isRecord(first) || !isRecord(second)) return second
  const both = namesOf(first, second).map(name => [name, name in second ? merged(first[name], second[name]) : first[name]])
  return Object.fromEntries(both)
}

function namesOf(...maps: readonly object[]): readonly string[] {
  return [...new Set(maps.flatMap(map => Object.keys(map)))]
}
