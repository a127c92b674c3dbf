import { Form, useNavigation } from 'react-router'
import { UPLOAD_MAX_MB } from '../../../domain/upload-size-and-file-types.ts'
import { AddPhotographs } from '../../../modules/facilities/operations/add-photographs.ts'
import { SavePhotographs } from '../../../modules/facilities/operations/reorder-describe-or-remove-photographs.ts'
import {
  ALT_MAX,
  MAX_PHOTOS,
  MAX_PHOTOS_PER_UPLOAD,
  photoFaultMessages,
  photoSlotNames,
  photoSlots,
} from '../../../modules/facilities/rules/photograph.ts'
import { loadFacilityPhotographs } from '../../../modules/facilities/views/facility-photographs.ts'
import { revalidateOnConflict } from '../../request/submit-or-report-offline.ts'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { CheckboxField, SelectField } from '../../ui/fields/choice.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { FileField, TextField } from '../../ui/fields/text.tsx'
import type { FormValues } from '../../ui/use-form-checks.ts'
import { officeAction, readOfficeForm } from '../office-action.ts'
import { Section } from '../office-page-heading-and-sections.tsx'
import type { Route } from './+types/photographs'
import { openSetup } from './open-setup.ts'
import { SetupPage } from './setup-frame.tsx'

export async function loader(args: Route.LoaderArgs) {
  const { page, about } = await openSetup(args)
  const { db, random } = page.site.services
  return { about, key: random.uuid(), ...(await loadFacilityPhotographs(db.read, about.code)) }
}

const slotChoices = photoSlotNames.map((value) => ({ value, label: photoSlots[value] }))

export async function action(args: Route.ActionArgs) {
  const { page, about } = await openSetup(args)
  const { code: location_code } = about
  const form = await readOfficeForm(page, args.request, {
    operation: AddPhotographs,
    tooLarge: photoFaultMessages.too_large,
    at: 'files',
    max: MAX_PHOTOS_PER_UPLOAD,
  })
  return officeAction(page, form, {
    add: { operation: AddPhotographs, input: ({ files }) => ({ location_code, files }), done: 'saved' },
    save: {
      operation: SavePhotographs,
      input: ({ values }) => ({ location_code, ...orderPhotos(values) }),
      done: 'saved',
    },
  })
}

/**
 * Returns the hash of the photographs that the form showed, and the photographs to keep in their new order. Those whose
 * place was changed stand at it, several at one place in their earlier order; the others keep their order around them.
 */
function orderPhotos(form: FormValues) {
  const shown = (form.ids ?? '')
    .split(',')
    .filter(Boolean)
    .map((photo_id, index) => {
      const place = Math.trunc(Number(form[`place-${photo_id}`] || Number.NaN))
      return { photo_id, place, isMoved: !Number.isNaN(place) && place !== index + 1 }
    })
    .filter(({ photo_id }) => form[`gone-${photo_id}`] !== '1')
  const ordered = shown.filter(({ isMoved }) => !isMoved)
  let earliest = 0
  for (const photo of shown.filter(({ isMoved }) => isMoved).sort((a, b) => a.place - b.place)) {
    const index = Math.max(photo.place - 1, earliest)
    ordered.splice(index, 0, photo)
    earliest = index + 1
  }
  const photos = ordered.map(({ photo_id }) => ({
    photo_id,
    slot: photoSlotNames.find((slot) => slot === form[`slot-${photo_id}`]) ?? '',
    alt: form[`alt-${photo_id}`] ?? '',
  }))
  return { before: form.before ?? '', photos }
}

export const shouldRevalidate = revalidateOnConflict

/** Page for the photographs of a facility's public page. */
export default function Photographs({ loaderData, actionData }: Route.ComponentProps) {
  const { about, photos, before } = loaderData
  const fields = actionData?.fields ?? {}
  const busy = useNavigation().state === 'submitting'
  const missing = slotChoices.filter(({ value }) => photos.every(({ slot }) => slot !== value))
  const formKey = actionData?.key ?? loaderData.key
  return (
    <SetupPage about={about} at="/photographs" title="Photographs" failed={Object.keys(fields).length > 0}>
      <ErrorSummary errors={fields} general={['form']} />
      {photos.length > 0 && (
        <Form method="post" encType="multipart/form-data">
          <input type="hidden" name="key" value={`${formKey}-order`} />
          <input type="hidden" name="before" value={before} />
          <input type="hidden" name="ids" value={photos.map(({ id }) => id).join()} />
          <ol>
            {photos.map(({ id, src, slot, alt, width, height }, index) => (
              <li
                key={id}
                className="grid gap-x-6 gap-y-3 border-b border-line py-4 sm:grid-cols-[16rem_minmax(0,30rem)]"
              >
                <img
                  src={src}
                  width={width}
                  height={height}
                  alt={alt || `Photograph ${index + 1}`}
                  loading="lazy"
                  className="office-photo"
                />
                <div className="grid grid-cols-[1fr_1fr] items-end gap-x-4">
                  <div className="col-span-full">
                    <SelectField
                      name={`slot-${id}`}
                      label="It shows"
                      options={slotChoices}
                      empty="Something else"
                      defaultValue={slot}
                      optional
                      error={fields[`slot-${id}`]}
                    />
                  </div>
                  <div className="col-span-full">
                    <TextField
                      name={`alt-${id}`}
                      label="In words"
                      optional
                      maxLength={ALT_MAX}
                      defaultValue={alt}
                      hint="For visitors who cannot see it."
                    />
                  </div>
                  <div>
                    <TextField
                      name={`place-${id}`}
                      label="Place"
                      inputMode="numeric"
                      width={5}
                      defaultValue={String(index + 1)}
                    />
                  </div>
                  <div className="self-end">
                    <CheckboxField name={`gone-${id}`} label="Take it away" />
                  </div>
                </div>
              </li>
            ))}
          </ol>
          <ButtonRow>
            <Button name="intent" value="save" busy={busy}>
              Save order and words
            </Button>
          </ButtonRow>
          <p className="small soft">
            The first one stands for the facility in lists and on cards. The page of the facility shows the named ones
            first, in the order in which they are named.
          </p>
        </Form>
      )}
      {photos.length === 0 && <p className="soft">Visitors see the drawing. Add a photograph in its place.</p>}
      {missing.length > 0 && (
        <p className="small soft">
          Not shown yet: {missing.map(({ label }) => label.replace(/^./, (first) => first.toLowerCase())).join(', ')}.
        </p>
      )}
      {photos.length < MAX_PHOTOS && (
        <Section title="Add photographs">
          <Form method="post" encType="multipart/form-data" className="office-form">
            <input type="hidden" name="key" value={`${formKey}-add`} />
            <FileField
              name="files"
              label="From this device"
              hint={`JPEG, PNG or WebP of at most ${UPLOAD_MAX_MB} MB, up to ${MAX_PHOTOS_PER_UPLOAD} at once. Where and by which camera they were taken is left out.`}
              accept="image/jpeg,image/png,image/webp"
              multiple
              error={fields.files}
            />
            <ButtonRow>
              <Button kind="secondary" name="intent" value="add" busy={busy} busyLabel="Sending">
                Add them
              </Button>
            </ButtonRow>
          </Form>
        </Section>
      )}
    </SetupPage>
  )
}
