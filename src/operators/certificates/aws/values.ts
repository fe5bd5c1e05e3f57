// Answers of AWS as values that are what they should be, or are not there.
import type { Values } from '#aws'
import { isRecord } from '#base'

export function record(value: unknown): Values {
  return isRecord(value) ? value : {}
}

export function records(value: unknown): readonly Values[] {
  return Array.isArray(value) ? value.map(record) : []
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

export function instant(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'number' ? value * 1_000 : undefined
}
