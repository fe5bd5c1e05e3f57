// A cluster in memory for tests of what follows several kinds at once: objects by kind, versions that only a fresh write may replace, and
// streams that tell of each write. Of one name there is one object of a kind, in whatever namespace. It has no schema, no fields of its own and
// no rights; the embedded API server has.
import type { KubeObject, ObjectKey, ResourceType, StoredObject } from '#kube'
import { type DeleteOptions, type KubeClient, KubeError, type WatchOptions } from '#kube/client'
import { ScriptedStream } from '../informer/scripted-server.fixture.ts'

type Type = Pick<ResourceType, 'plural'>

export class ScriptedCluster {
  /** What lists and watches of a kind say instead, by its plural name; `silence` is an answer that never comes. */
  readonly answers: Map<string, Error | 'silence'> = new Map()
  /** Thrown by each write of an object of that name. */
  readonly refuses: Map<string, Error> = new Map()
  readonly listed: string[] = []
  /** Each write, as verb and name. */
  readonly writes: string[] = []
  readonly #streams = new Map<string, ScriptedStream[]>()
  readonly #objects = new Map<string, Map<string, StoredObject>>()
  #version = 10

  readonly client: KubeClient = {
    address: 'scripted',
    list: async ({ plural }: Type) => {
      this.listed.push(plural)
      const answer = this.answers.get(plural)
      if (answer === 'silence') await new Promise(() => {})
      if (answer instanceof Error) throw answer
      const items = [...this.#of(plural).values()]
      return { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: String(this.#version) }, items }
    },
    watch: ({ plural }: Type, options: WatchOptions) => {
      const stream = new ScriptedStream(options)
      this.#streams.set(plural, [...(this.#streams.get(plural) ?? []), stream])
      const answer = this.answers.get(plural)
      if (answer instanceof Error) stream.fail(answer)
      else options.onOpened?.()
      return stream
    },
    find: async ({ plural }: Type, { name }: ObjectKey) => this.find(plural, name),
    create: async ({ plural }: Type, object: KubeObject) => {
      const { name = '' } = object.metadata
      this.#begin('create', name)
      if (this.find(plural, name) !== undefined) throw refusal('AlreadyExists')
      return this.put(plural, object)
    },
    update: async ({ plural }: Type, object: StoredObject) => {
      const { name, resourceVersion } = object.metadata
      this.#begin('update', name)
      if (this.find(plural, name)?.metadata.resourceVersion !== resourceVersion) throw refusal('Conflict')
      return this.put(plural, object)
    },
    delete: async ({ plural }: Type, { name }: ObjectKey, { preconditions }: DeleteOptions = {}) => {
      this.#begin('delete', name)
      const held = this.find(plural, name)
      if (held === undefined) throw refusal('NotFound')
      if (preconditions !== undefined && preconditions.resourceVersion !== held.metadata.resourceVersion)
        throw refusal('Conflict')
      this.remove(plural, name)
      return { kind: 'Status', status: 'Success' }
    },
  } as unknown as KubeClient

  find(plural: string, name: string): StoredObject | undefined {
    return this.#of(plural).get(name)
  }

  names(plural: string): readonly string[] {
    return [...this.#of(plural).keys()].toSorted()
  }

  /** Somebody writes it. */
  put(plural: string, object: KubeObject): StoredObject {
    const { name = '' } = object.metadata
    const known = this.find(plural, name)
    const metadata = { uid: `uid-${name}`, ...object.metadata, name, resourceVersion: String(++this.#version) }
    const stored = { ...object, metadata } as StoredObject
    this.#of(plural).set(name, stored)
    this.#tell(plural, known === undefined ? 'ADDED' : 'MODIFIED', stored)
    return stored
  }

  /** Somebody removes it. */
  remove(plural: string, name: string): void {
    const known = this.find(plural, name)
    if (known === undefined) return
    this.#of(plural).delete(name)
    this.#tell(plural, 'DELETED', { ...known, metadata: { ...known.metadata, resourceVersion: String(++this.#version) } })
  }

  /** All streams of the kind end by this. */
  cut(plural: string, error: Error): void {
    for (const stream of this.#streams.get(plural) ?? []) stream.fail(error)
  }

  #of(plural: string): Map<string, StoredObject> {
    const held = this.#objects.get(plural) ?? new Map<string, StoredObject>()
    this.#objects.set(plural, held)
    return held
  }

  #begin(verb: string, name: string): void {
    this.writes.push(`${verb} ${name}`)
    const error = this.refuses.get(name) ?? this.refuses.get('*')
    if (error !== undefined) throw error
  }

  #tell(plural: string, type: 'ADDED' | 'MODIFIED' | 'DELETED', object: StoredObject): void {
    for (const stream of this.#streams.get(plural) ?? []) stream.send({ type, object })
  }
}

function refusal(reason: string): KubeError {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason } as const
  return new KubeError('refused', reason, { httpStatus: 409, status })
}
