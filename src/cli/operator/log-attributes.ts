// What every log line says of its source, by the rules of OpenTelemetry: our names below the environment's, the environment's below the
// flag's.
import { FlagError } from '#base'

export function resourceAttributes(
  env: Readonly<Record<string, string | undefined>>,
  flag: string,
): Readonly<Record<string, string>> {
  return {
    'service.name': 'aws-workload-identity-operator',
    'service.namespace': 'appthrust',
    ...parsePairs(env.OTEL_RESOURCE_ATTRIBUTES ?? '', 'OTEL_RESOURCE_ATTRIBUTES'),
    ...(env.OTEL_SERVICE_NAME === undefined || env.OTEL_SERVICE_NAME === '' ? {} : { 'service.name': env.OTEL_SERVICE_NAME }),
    ...parsePairs(flag, '--log-resource-attributes'),
  }
}

/** `k=v,k2=v2`, values percent-encoded; blanks do not count. */
function parsePairs(list: string, from: string): Readonly<Record<string, string>> {
  const pairs = list
    .split(',')
    .map(pair => pair.trim())
    .filter(pair => pair !== '')
  return Object.fromEntries(
    pairs.map((pair): [string, string] => {
      const cut = pair.indexOf('=')
      const key = pair.slice(0, Math.max(0, cut)).trim()
      if (cut < 0 || key === '') throw new FlagError(`${from}: ${JSON.stringify(pair)} is no key=value`)
      return [key, decoded(pair.slice(cut + 1).trim(), from)]
    }),
  )
}

function decoded(value: string, from: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw new FlagError(`${from}: ${JSON.stringify(value)} is not percent-encoded as it should be`)
  }
}
