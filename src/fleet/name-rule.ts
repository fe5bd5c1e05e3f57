// Who may name which cluster. Whoever can write a ClusterProfile with its status says by a label which cluster it is, and so where tokens
// come from and where annotations go: a tenant with that right in a namespace of his own could say that his cluster is a neighbour's.
// The rule binds names to the namespaces in which profiles are; labels and managers are written by whoever writes the profile.
import { type ClusterProfile, clusterNameOf } from './cluster-profile.ts'

/** Whether a profile may have the name that it claims. */
export type NameRule = (profile: ClusterProfile) => boolean

/** As the reference operator has it: whoever may publish is trusted with all names. */
export const anyName: NameRule = () => true

/** `fleet=*,team-a=team-a-*`: which names the profiles of a namespace may have. A namespace that is not listed has none. */
export function parseNameRule(text: string): NameRule | { readonly wrong: string } {
  const bindings = new Map<string, RegExp[]>()
  for (const entry of text.split(',').map(part => part.trim())) {
    const match = /^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)=([a-z0-9*-]+)$/.exec(entry)
    if (match === null) return { wrong: entry }
    const [, namespace = '', pattern = ''] = match
    bindings.set(namespace, [...(bindings.get(namespace) ?? []), namePattern(pattern)])
  }
  return profile => {
    const allowed = bindings.get(profile.metadata.namespace ?? '') ?? []
    return allowed.some(pattern => pattern.test(clusterNameOf(profile)))
  }
}

/** `*` stands for any characters. Names hold no other character that means something in a pattern. */
export function namePattern(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/\*+/g, '[a-z0-9-]*')}$`)
}
