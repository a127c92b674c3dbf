import type { Kysely } from 'kysely'
import type { Tables } from '../../../platform/schema/tables.ts'
import { hashPicture } from '../hash-brand-picture-for-stale-forms.ts'
import { brandFormsWithValues } from '../internal/current-brand-form-values.ts'
import { facilityFormFields, loadFacilityForms } from '../internal/load-facility-form-values.ts'
import { loadSetting } from '../operator-settings-and-brand.ts'
import type { BrandRecord } from '../rules/brand.ts'
import { type BrandForm, brandFields, brandForms } from '../rules/brand-form.ts'
import { type BrandPictureName, brandPictureNames } from '../rules/brand-pictures.ts'
import { type FacilityField, type FacilityForm, facilityForms, isOptional } from '../rules/facility-setup-fields.ts'

/** A field of a setup form with its stored value. */
interface SetupField extends Omit<FacilityField, 'look'> {
  name: string
  look: FacilityField['look'] | 'color'
  optional: boolean
  value: string
  /** Hash of the stored value, by which a stale form is detected. */
  before: string
}

/** A setup form with its stored values. */
export interface SetupForm<Name> {
  form: Name
  title: string
  fields: SetupField[]
}

/** Returns the setup forms of the operator's brand. */
export async function loadBrandForms(db: Kysely<Tables>): Promise<SetupForm<BrandForm>[]> {
  return brandFormsWithValues(await loadSetting(db, 'brand')).map(({ form, values, before }) => ({
    form,
    title: brandForms[form].title,
    fields: brandFields(form).map(([name, { label, look, hint }]) => ({
      name,
      label,
      look,
      ...(hint && { hint }),
      optional: name !== 'name',
      value: values[name] ?? '',
      before: before[name] ?? '',
    })),
  }))
}

/**
 * Returns the names of the brand's pictures, each with the hash by which a stale form is detected; '' where no picture
 * is set.
 */
export const hashBrandPictures = (brand: Pick<BrandRecord, BrandPictureName>) =>
  brandPictureNames.map((name) => ({ name, before: hashPicture(brand[name]) }))

/** Returns the setup forms of a facility. */
export async function loadFacilitySetupForms(
  db: Kysely<Tables>,
  locationCode: string,
): Promise<SetupForm<FacilityForm>[]> {
  const forms = await loadFacilityForms(db, locationCode)
  return forms.map(({ form, values, before }) => ({
    form,
    title: facilityForms[form].title,
    fields: facilityFormFields(form).map(([name, field]) => ({
      name,
      ...field,
      optional: isOptional(name),
      value: values[name] ?? '',
      before: before[name] ?? '',
    })),
  }))
}
