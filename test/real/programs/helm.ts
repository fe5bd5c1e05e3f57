// The real Helm, built from its Go module as it was published; the versions stand in the folders beside this file.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dump, loadAll } from 'js-yaml'
import type { KubeObject } from '#kube'
import type { BuiltProgram } from './built-program.ts'
import { goTool } from './go-tool.ts'

export function helmProgram(major: 3 | 4): BuiltProgram {
  return goTool({ folder: `go-helm${major}`, what: `helm${major}`, package: `helm.sh/helm/v${major}/cmd/helm` })
}

export interface HelmRun {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Helm with a home of its own, so that nothing of this machine is read or written. */
export function runHelm(path: string, args: readonly string[]): HelmRun {
  const home = mkdtempSync(join(tmpdir(), 'helm-'))
  try {
    const { status, stdout, stderr } = spawnSync(path, args, {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      env: { HOME: home, PATH: process.env['PATH'] ?? '' },
    })
    return { code: status ?? -1, stdout, stderr }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

export function objectsOf(yaml: string): readonly KubeObject[] {
  return (loadAll(yaml) as (KubeObject | null)[]).filter(object => object !== null)
}

export interface Templated {
  readonly helm: string
  readonly chart: string
  readonly release: { readonly name: string; readonly namespace: string }
  readonly values: object
}

/** `helm template`, as objects. Throws with Helm's own words. */
export function helmTemplate({ helm, chart, release, values }: Templated): readonly KubeObject[] {
  const folder = mkdtempSync(join(tmpdir(), 'values-'))
  try {
    const file = join(folder, 'values.yaml')
    writeFileSync(file, dump(values))
    const { name, namespace } = release
    const run = runHelm(helm, ['template', name, chart, '-n', namespace, '-f', file, '--kube-version', '1.35.0'])
    if (run.code !== 0) throw new Error(run.stderr)
    return objectsOf(run.stdout)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
