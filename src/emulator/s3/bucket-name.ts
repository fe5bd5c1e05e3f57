// Which names a bucket can have (§8.1).

const form = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const reservedPrefixes = ['xn--', 'sthree-']
const reservedSuffixes = ['-s3alias', '--ol-s3', '.mrap', '--x-s3', '--table-s3']

export function isBucketName(name: string): boolean {
  if (!form.test(name) || name.includes('..')) return false
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(name)) return false
  if (reservedPrefixes.some(prefix => name.startsWith(prefix))) return false
  return !reservedSuffixes.some(suffix => name.endsWith(suffix))
}
