// What a custom resource with a scale must hold where its definition says that the numbers are.

import { isRecord } from '#base'
import { type FieldError, fieldError, goText, goType } from '#schema'
import { type Draft } from '../draft.ts'
import type { ScalePaths } from './resource.ts'

const int32Max = 2_147_483_647

export function scaleErrors(draft: Readonly<Draft>, paths: ScalePaths, subresource: string): FieldError[] {
  const errors: FieldError[] = []
  if (subresource !== 'status') checkNumber(draft, paths.specReplicas, errors)
  checkNumber(draft, paths.statusReplicas, errors)
  if (paths.labelSelector === undefined) return errors
  const found = read(draft, paths.labelSelector, 'string')
  if ('problem' in found) errors.push(fieldError.invalid(paths.labelSelector, '', found.problem))
  return errors
}

function checkNumber(draft: Readonly<Draft>, path: string, errors: FieldError[]): void {
  const found = read(draft, path, 'int64')
  if ('problem' in found) {
    errors.push(fieldError.invalid(path, 0, found.problem))
    return
  }
  const number = Number(found.value ?? 0)
  if (number < 0) errors.push(fieldError.invalid(path, number, 'should be a non-negative integer'))
  else if (number > int32Max) errors.push(fieldError.invalid(path, number, `should be less than or equal to ${int32Max}`))
}

type Found = { readonly value: unknown } | { readonly problem: string }

function read(draft: Readonly<Draft>, path: string, wanted: 'int64' | 'string'): Found {
  let value: unknown = draft
  for (const part of path.replace(/^\./, '').split('.')) {
    if (value === undefined || value === null) return { value: undefined }
    if (!isRecord(value)) return problem(path, value, 'map[string]interface{}')
    value = value[part]
  }
  if (value === undefined) return { value }
  return goType(value) === wanted ? { value } : problem(path, value, wanted)
}

function problem(path: string, value: unknown, wanted: string): Found {
  return { problem: `${path} accessor error: ${goText(value)} is of the type ${goType(value)}, expected ${wanted}` }
}
