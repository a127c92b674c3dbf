import { expect, test } from 'vitest'
import { configuredIpLocation } from './configured.ts'

const request = { address: '203.0.113.9', header: () => undefined }

test('every visitor stands at the configured point', async () => {
  expect(await configuredIpLocation({ lat: 33.77, lng: -84.37 }).locate(request)).toEqual({ lat: 33.77, lng: -84.37 })
})

test('nobody stands anywhere where no point is configured', async () => {
  expect(await configuredIpLocation(null).locate(request)).toBeNull()
})
