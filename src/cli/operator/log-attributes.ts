// What every log line says of its source, by the rules of OpenTelemetry: our names below the environment's, the environment's below the
// flag's.
import { commaPairs, FlagError } from '#base'

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

function parsePairs(list: string, from: string): Readonly<Record<string, string>> {
  const wrong = (pair: string, why: string): FlagError => {
    const shown = why === 'is no key=value' ? pair : pair.slice(pair.indexOf('=') + 1).trim()
    return new FlagError(`${from}: ${JSON.stringify(shown)} ${why}`)
  }
  return Object.fromEntries(commaPairs(list, wrong))
}
