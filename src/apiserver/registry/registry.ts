// Which resources are served right now. Built-in ones are fixed; custom ones come and go with their definitions.
import type { RegisteredResource, ServedKind } from './resource.ts'

export class Registry {
  readonly #byPath = new Map<string, ServedKind>()
  readonly #builtin: readonly RegisteredResource[]
  #custom = new Map<string, RegisteredResource>()
  /** Goes up with every change: discovery documents are cached by it. */
  #generation = 0

  constructor(builtin: readonly RegisteredResource[]) {
    this.#builtin = builtin
    this.#index()
  }

  get generation(): number {
    return this.#generation
  }

  /** All resources, built-in ones first, each kind once per group and plural. */
  get resources(): readonly RegisteredResource[] {
    return [...this.#builtin, ...this.#custom.values()]
  }

  find(group: string, version: string, plural: string): ServedKind | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`)
  }

  findKind(group: string, version: string, kind: string): ServedKind | undefined {
    for (const resource of this.resources) {
      if (resource.group !== group || resource.kind !== kind) continue
      const served = resource.versions.find(candidate => candidate.version === version)
      if (served !== undefined) return served
    }
    return undefined
  }

  findResource(group: string, plural: string): RegisteredResource | undefined {
    return this.resources.find(resource => resource.group === group && resource.plural === plural)
  }

  isBuiltinVersion(group: string, version: string): boolean {
    return this.#builtin.some(
      resource => resource.group === group && resource.versions.some(candidate => candidate.version === version),
    )
  }

  hasGroupVersion(group: string, version: string): boolean {
    return this.resources.some(
      resource => resource.group === group && resource.versions.some(candidate => candidate.version === version),
    )
  }

  /** Sets the resource of the definition with this name, which is `plural.group`. */
  setCustom(name: string, resource: RegisteredResource | undefined): void {
    if (resource === undefined) this.#custom.delete(name)
    else this.#custom.set(name, resource)
    this.#index()
  }

  custom(name: string): RegisteredResource | undefined {
    return this.#custom.get(name)
  }

  #index(): void {
    this.#generation++
    this.#byPath.clear()
    for (const resource of this.resources) {
      for (const kind of resource.versions) this.#byPath.set(`${resource.group}/${kind.version}/${resource.plural}`, kind)
    }
  }
}
