// A person's values over those of a chart, as Helm puts them together: maps grow into each other, anything else takes the place of what was.
export function mergeValues<Values extends object>(defaults: Values, given: object): Values {
  return merged(defaults, given) as Values
}

function merged(defaults: unknown, given: unknown): unknown {
  if (!isMap(defaults) || !isMap(given)) return given
  const both = [...new Set([...Object.keys(defaults), ...Object.keys(given)])]
  return Object.fromEntries(
    both
      // Nothing is said by `null` but that nothing is to be there.
      .filter(name => given[name] !== null)
      .map(name => [name, name in given ? merged(defaults[name], given[name]) : defaults[name]]),
  )
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
