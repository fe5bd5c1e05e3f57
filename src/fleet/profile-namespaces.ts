// In which namespaces ClusterProfiles are looked for, as `--cluster-profile-namespaces` says it in every program that has the flag.
import { FlagError } from '#base'
import { dnsLabelErrors } from '#kube'

/** `a,b`: trimmed, each once; `*` alone is everywhere, which is `undefined`. Throws `FlagError`. */
export function readProfileNamespaces(list: string): readonly string[] | undefined {
  const flag = '--cluster-profile-namespaces'
  if (list.trim() === '') throw new FlagError(`${flag} is required: namespaces separated by commas, or * for all`)
  const names = [...new Set(list.split(',').map(name => name.trim()))]
  if (names.includes('')) throw new FlagError(`${flag} has an empty entry; leave it out`)
  if (names.includes('*')) {
    if (names.length > 1) throw new FlagError(`${flag} has * beside names; give one or the other`)
    return undefined
  }
  const wrong = names.find(name => dnsLabelErrors(name).length > 0)
  if (wrong !== undefined) throw new FlagError(`${flag}: ${JSON.stringify(wrong)} is no name of a namespace`)
  return names
}
