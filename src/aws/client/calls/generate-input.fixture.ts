// Inputs made from a model: for comparing our wire with others' over everything a service takes.
import type { Random } from '#base'
import type { Member, Operation, ServiceModel, Shape, StructureShape } from '../../model/service-model.ts'
import type { Values } from '../wire/protocols.ts'
import { shapeOf } from '../wire/tuples.ts'

/** Only what is required, some of the rest, or everything. */
export type InputSize = 'least' | 'some' | 'all'

const depthMax = 4

export class InputGenerator {
  readonly #model: ServiceModel
  readonly #random: Random

  constructor(model: ServiceModel, random: Random) {
    this.#model = model
    this.#random = random
  }

  input({ input, name }: Operation, size: InputSize): Values {
    if (input === undefined) return {}
    const value = this.#structure(shapeOf(this.#model, input) as StructureShape, size, 0)
    return { ...value, ...this.#fixed(name, value) }
  }

  /** Members that are no free text: the client refuses to put anything else into a host name. */
  #fixed(operation: string, value: Values): Values {
    const fixed: Record<string, unknown> = {}
    if ('Bucket' in value) fixed['Bucket'] = this.#pick(['bucket-1', 'my.dotted.bucket'])
    if ('ChecksumAlgorithm' in value) fixed['ChecksumAlgorithm'] = this.#pick(['CRC32', 'SHA1', 'SHA256', 'CRC32C'])
    // SSE-C keys get a digest beside them in the SDK's S3 client, which is a convenience and not the protocol.
    for (const name of ['SSECustomerKey', 'CopySourceSSECustomerKey']) if (name in value) fixed[name] = undefined
    if (operation === 'CreateBucket') fixed['CreateBucketConfiguration'] = { LocationConstraint: 'eu-west-1' }
    return fixed
  }

  #structure(shape: StructureShape, size: InputSize, depth: number): Values {
    const entries = Object.entries(shape.members)
    if (shape.type === 'union') {
      const [name, member] = this.#pick(entries)
      return { [name]: this.#member(member, size, depth + 1) }
    }
    const wanted = entries.filter(([name, { idempotencyToken }]) => {
      // The SDK makes its own tokens: always give one, so that both send the same.
      if (shape.required.includes(name) || idempotencyToken) return true
      if (depth >= depthMax) return false
      return size === 'all' || (size === 'some' && this.#random.integer(3) === 0)
    })
    return Object.fromEntries(wanted.map(([name, member]) => [name, this.#member(member, size, depth + 1)]))
  }

  #member(member: Member, size: InputSize, depth: number): unknown {
    const shape = shapeOf(this.#model, member.target)
    if (member.location === 'header' || member.location === 'uri' || member.location === 'headers')
      return this.#plain(shape, member)
    return this.#value(shape, size, depth)
  }

  /** Values that go into headers and paths: printable, and in a path never empty. */
  #plain(shape: Shape, member: Member): unknown {
    if (shape.type === 'string')
      return this.#pick(['plain', 'with space', 'a/b', 'x+y&z=1', ...(member.location === 'uri' ? ['ü~%2F'] : ['"quoted"'])])
    if (shape.type === 'map') return { 'key-a': 'value', 'Key-B': 'x y' }
    if (shape.type === 'list') return ['first', 'second']
    return this.#value(shape, 'least', depthMax)
  }

  #value(shape: Shape, size: InputSize, depth: number): unknown {
    switch (shape.type) {
      case 'structure':
      case 'union':
        return this.#structure(shape, size, depth)
      case 'list':
        return Array.from({ length: this.#length(size, depth) }, () =>
          this.#value(shapeOf(this.#model, shape.member.target), size, depth + 1),
        )
      case 'map':
        return Object.fromEntries(
          Array.from({ length: this.#length(size, depth) }, (_, index) => [
            `key ${index}`,
            this.#value(shapeOf(this.#model, shape.value.target), size, depth + 1),
          ]),
        )
      case 'string':
        return shape.enum === undefined ? this.#text() : this.#pick(shape.enum)
      case 'boolean':
        return this.#random.integer(2) === 0
      case 'timestamp':
        return new Date(this.#pick([0, 1_767_225_600_000, 1_767_225_600_123, 951_782_399_999]))
      case 'blob':
        return this.#random.bytes(this.#random.integer(20))
      case 'float':
      case 'double':
        return this.#pick([0, 1.5, -0.25, 1e21])
      case 'document':
        return { a: [1, 'x', null] }
      case 'bigInteger':
      case 'bigDecimal':
        return 7
      default:
        return this.#pick([0, 1, -1, 2_147_483_647])
    }
  }

  #length(size: InputSize, depth: number): number {
    if (depth >= depthMax) return 1
    return size === 'least' ? this.#random.integer(2) : 1 + this.#random.integer(2)
  }

  #text(): string {
    return this.#pick([
      'text',
      '',
      'a b',
      'ümläut',
      '<&>"\'',
      'emoji 😀',
      'line\nbreak',
      'x'.repeat(50),
      '{"a":"b"}',
      'a+b/c=',
      '*()!~',
    ])
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#random.integer(values.length)] as T
  }
}
