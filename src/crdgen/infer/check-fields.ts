// What no schema can state: structures that contain themselves, structures without members, documents, streams of events, and two
// members that would be one field. Each is a reason why a kind is refused, with the lines of config that mend it.
import { InferError } from '../infer-error.ts'
import { type Api, exported } from './api.ts'
import { type Field, leafOf, type TypeRegistry } from './field-type.ts'

interface Service {
  readonly api: Api
  readonly types: TypeRegistry
}

export function checkFields(resource: string, fields: Iterable<Field>, service: Service): readonly InferError[] {
  const walk = new Walk(resource, service)
  for (const field of fields) walk.visit(field, [])
  return walk.problems
}

interface Step {
  readonly shape: string
  readonly member: string
}

class Walk {
  readonly problems: InferError[] = []
  readonly #resource: string
  readonly #api: Api
  readonly #types: TypeRegistry
  readonly #done = new Set<string>()
  #top = ''

  constructor(resource: string, { api, types }: Service) {
    this.#resource = resource
    this.#api = api
    this.#types = types
  }

  visit(field: Field, steps: readonly Step[]): void {
    if (steps.length === 0) this.#top = field.json
    const leaf = leafOf(field.type)
    if (leaf.kind === 'unsupported') return this.#unsupported(field, { steps, what: leaf.what })
    if (leaf.kind !== 'structure') return
    const start = steps.findIndex(({ shape }) => shape === leaf.shape)
    if (start >= 0) return this.#cycle(steps.slice(start))
    if (this.#done.has(leaf.shape)) return
    this.#done.add(leaf.shape)
    const members = this.#types.fieldsOf(leaf.shape)
    if (members.size === 0) this.#empty(leaf.shape, steps)
    for (const name of this.#types.collisions.get(leaf.shape) ?? []) this.#collision(leaf.shape, name)
    for (const member of members.values()) this.visit(member, [...steps, { shape: leaf.shape, member: member.model }])
  }

  #unsupported(field: Field, { steps, what }: { readonly steps: readonly Step[]; readonly what: string }): void {
    this.#add('unsupported', {
      where: this.#path(steps),
      problem: `holds ${what}, which a schema cannot state`,
      fix: `leave it out:\n  ignore:\n    field_paths:\n    - ${pathTo(this.#api, field, steps.at(-1))}`,
    })
  }

  #cycle(steps: readonly Step[]): void {
    const path = [steps[0]?.shape, ...steps.map(({ member }) => member)].join('.')
    this.#add('cycle', {
      where: path,
      problem: `a ${steps[0]?.shape} would contain itself`,
      fix: `leave out the member that closes the circle:\n  ignore:\n    field_paths:\n    - ${steps.at(-1)?.shape}.${steps.at(-1)?.member}`,
    })
  }

  #empty(shape: string, steps: readonly Step[]): void {
    const last = steps.at(-1)
    const path =
      last === undefined ? '' : `\nor leave out the member:\n  ignore:\n    field_paths:\n    - ${last.shape}.${last.member}`
    this.#add('empty-structure', {
      where: this.#path(steps),
      problem: `structure "${shape}" has no members`,
      fix: `say that it is a map of text:\n  empty_shapes:\n  - ${shape}\nor leave it out:\n  ignore:\n    shape_names:\n    - ${shape}${path}`,
    })
  }

  #collision(shape: string, member: string): void {
    this.#add('name-collision', {
      where: shape,
      problem: `member "${member}" would have the name of another member`,
      fix: `leave one out:\n  ignore:\n    field_paths:\n    - ${shape}.${member}`,
    })
  }

  #path(steps: readonly Step[]): string {
    return [this.#top, ...steps.map(({ member }) => member)].join('.')
  }

  #add(
    code: 'unsupported' | 'cycle' | 'empty-structure' | 'name-collision',
    { where, problem, fix }: { readonly where: string; readonly problem: string; readonly fix: string },
  ): void {
    this.problems.push(new InferError(code, `${this.#resource}: ${where}: ${problem}; ${fix}`))
  }
}

/** What is in a payload is left out under the name of the operation's own copy, and what is in any other structure under the name of that. */
function pathTo(api: Api, { model, origin: { by, operation, member = '' } }: Field, last: Step | undefined): string {
  if (last !== undefined) return `${last.shape}.${last.member}`
  const [owner = '', name] = member.split('.')
  if (name === undefined) return member
  const found = api.operations.get(operation ?? '')
  const [payload, copy] = by === 'output' ? [found?.modelOutput, found?.output] : [found?.modelInput, found?.input]
  return `${owner === payload ? copy : owner}.${by === 'from' ? exported(name) : model}`
}
