// Makes src/schema/builtin/schemas.gen.json from the OpenAPI v3 documents of a real kube-apiserver: names, types, defaults, list
// and patch traits of the kinds that we serve and of all they refer to. Descriptions are left out; they are not ours.
//
//   node scripts/generate-builtin-schemas.ts DIR
//
// where DIR holds the documents, one file per group-version as `kubectl get --raw /openapi/v3/apis/apps/v1 > apis__apps__v1.json`
// (and `api__v1.json`) writes them.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const documents = [
  'api__v1',
  'apis__apps__v1',
  'apis__batch__v1',
  'apis__authentication.k8s.io__v1',
  'apis__authorization.k8s.io__v1',
  'apis__rbac.authorization.k8s.io__v1',
  'apis__coordination.k8s.io__v1',
  'apis__events.k8s.io__v1',
  'apis__discovery.k8s.io__v1',
  'apis__policy__v1',
  'apis__admissionregistration.k8s.io__v1',
  'apis__apiextensions.k8s.io__v1',
  'apis__networking.k8s.io__v1',
  'apis__autoscaling__v1',
  'apis__autoscaling__v2',
  'apis__certificates.k8s.io__v1',
  'apis__scheduling.k8s.io__v1',
  'apis__storage.k8s.io__v1',
  'apis__node.k8s.io__v1',
  'apis__flowcontrol.apiserver.k8s.io__v1',
  'apis__resource.k8s.io__v1',
  'apis__apiregistration.k8s.io__v1',
]

type Node = { [key: string]: unknown }

const directory = process.argv[2]
if (directory === undefined) throw new Error('say where the OpenAPI documents are: scripts/generate-builtin-schemas.ts DIR')

const schemas: Record<string, Node> = {}
for (const name of documents) {
  const document = JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8')) as {
    components: { schemas: Record<string, Node> }
  }
  for (const [key, schema] of Object.entries(document.components.schemas)) schemas[key] = withoutText(schema)
}
const sorted = Object.fromEntries(
  Object.keys(schemas)
    .sort()
    .map(key => [key, schemas[key]]),
)
const lines = Object.entries(sorted).map(([key, schema]) => `${JSON.stringify(key)}:${JSON.stringify(schema)}`)
const target = new URL('../src/schema/builtin/schemas.gen.json', import.meta.url)
writeFileSync(target, `{\n${lines.join(',\n')}\n}\n`)
console.log(`${lines.length} schemas -> ${target.pathname}`)

/** A schema without descriptions. Below `properties` the keys are field names, so a field called description stays. */
function withoutText(schema: Node): Node {
  const out: Node = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'description') continue
    if (key === 'properties') out[key] = mapValues(value as Record<string, Node>, withoutText)
    else if (key === 'x-kubernetes-group-version-kind') out[key] = servedKinds(value as Node[])
    else if (key === 'allOf' || key === 'anyOf' || key === 'oneOf') out[key] = (value as Node[]).map(withoutText)
    else if ((key === 'items' || key === 'additionalProperties' || key === 'not') && typeof value === 'object')
      out[key] = withoutText(value as Node)
    else out[key] = value
  }
  return out
}

/** DeleteOptions and WatchEvent name every group-version of the server; only those served here are of use. */
function servedKinds(kinds: Node[]): Node[] {
  const served = new Set(documents.map(name => name.replace(/^apis?__/, '').replace('__', '/')))
  return kinds.filter(({ group, version }) => served.has([group, version].filter(part => part !== '').join('/')))
}

function mapValues(record: Record<string, Node>, change: (node: Node) => Node): Record<string, Node> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}
