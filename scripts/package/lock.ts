// The lock that the image installs from: of the versions that this checkout is tested with, those that the published package needs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Lock {
  readonly name: string
  readonly version: string
  readonly lockfileVersion: number
  readonly requires: boolean
  readonly packages: Readonly<Record<string, LockedPackage>>
}

interface LockedPackage {
  readonly dev?: true
  readonly devDependencies?: object
}

/** As text of a package-lock.json beside the manifest of the package. */
export function renderPackageLock(top: string): string {
  const { packages, ...head } = JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8')) as Lock
  const { devDependencies: _, ...own } = packages[''] ?? {}
  const needed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
  return `${JSON.stringify({ ...head, packages: { '': own, ...Object.fromEntries(needed) } }, undefined, 2)}\n`
}
