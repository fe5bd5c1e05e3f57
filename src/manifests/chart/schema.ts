// The schema of a chart's values, from their defaults: what has another type, or a name that nobody knows, is refused before anything is
// rendered. Maps that are empty by default are a person's own, and take any key.

interface Schema {
  readonly [keyword: string]: unknown
}

/** Words of which one is meant, by the path of the value. */
const choices: Readonly<Record<string, readonly string[]>> = {
  'image.pullPolicy': ['Always', 'IfNotPresent', 'Never'],
  'logging.level': ['trace', 'debug', 'info', 'warn', 'error'],
  'logging.exporter': ['otlp', 'console', 'none'],
  'metrics.service.type': ['ClusterIP', 'NodePort', 'LoadBalancer'],
  'webhookCertificate.source': ['cert-manager', 'secret'],
  'certificate.source': ['cert-manager', 'secret', 'cluster'],
  failurePolicy: ['Ignore', 'Fail'],
}

/** Least numbers, by the path of the value. */
const least: Readonly<Record<string, number>> = { replicaCount: 1, terminationGracePeriodSeconds: 0, revisionHistoryLimit: 0 }

/** What Kubernetes defines: its keys are Kubernetes's to know. */
const passedOn = new Set(['updateStrategy', 'resources', 'podSecurityContext', 'containerSecurityContext'])

/** Values of charts within a chart. */
const charts = new Set(['webhooks'])

export function chartSchema(values: object): Schema {
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...schemaOf(values, '') }
}

function schemaOf(value: unknown, path: string): Schema {
  if (Array.isArray(value)) return { type: 'array' }
  if (typeof value === 'object' && value !== null) return objectSchema(value as Readonly<Record<string, unknown>>, path)
  if (typeof value === 'number') return { type: 'integer', ...(least[path] === undefined ? {} : { minimum: least[path] }) }
  return { type: typeof value, ...(choices[path] === undefined ? {} : { enum: choices[path] }) }
}

function objectSchema(value: Readonly<Record<string, unknown>>, path: string): Schema {
  const entries = Object.entries(value)
  const isOpen = entries.length === 0 || passedOn.has(path) || /(?:^|\.)(?:flags|files)$/.test(path)
  if (isOpen) return { type: 'object' }
  const properties = entries.map(([name, one]) => [name, schemaOf(one, path === '' ? name : `${path}.${name}`)])
  // Helm hands a map of its own to every chart, and the switch of a chart within another to that chart.
  const helms = path === '' || charts.has(path) ? { global: { type: 'object' }, enabled: { type: 'boolean' } } : {}
  return { type: 'object', additionalProperties: false, properties: { ...helms, ...Object.fromEntries(properties) } }
}
