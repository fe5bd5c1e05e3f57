// Functions that are long because they are a list, each with the sentence why it is not steps.
export const linesMax = 50

/** By file and name. */
export const longOnes: Readonly<Record<string, string>> = {
  'src/apiserver/make-parts.ts makeParts': 'a list of the parts of a server, of which each is handed to others',
  'src/base/system/net/listen.ts listen': 'the callbacks of one listener, which share what is open',
  'src/cli/operator/process-flags.ts processFlagGroups': 'a table of flags',
  'src/operators/certificates/operator.ts start': 'a list of what is put together, each with the settings that it is about',
  'src/operators/pods/manifests/azure.ts deployment': 'a manifest',
  'src/operators/pods/serve/metrics.ts webhookMetrics': 'a table of metrics',
  'src/runtime/metrics/engine.ts engineMetrics': 'a table of metrics',
  'src/schema/cel/library/registry.ts signatures': 'a table of signatures',
}

export interface Named {
  readonly name: string
  readonly lines: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [part: string]: unknown
}

const functions: ReadonlySet<string> = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/** Every function of a source with its own name, or the name of what it is the value of; functions within functions as well. */
export function functionsOf(program: unknown, source: string): readonly Named[] {
  const found: Named[] = []
  const visit = (node: Node, around: Node | undefined): void => {
    if (functions.has(node.type) && isNode(node['body'])) {
      const lines = source.slice(node.start, node.end).split('\n').length
      found.push({ name: nameOf(node['id']) ?? nameOf(around?.['id']) ?? nameOf(around?.['key']) ?? '', lines })
    }
    for (const part of Object.values(node))
      for (const child of Array.isArray(part) ? (part as unknown[]) : [part]) if (isNode(child)) visit(child, node)
  }
  if (isNode(program)) visit(program, undefined)
  return found
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && typeof node['name'] === 'string' ? node['name'] : undefined
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
