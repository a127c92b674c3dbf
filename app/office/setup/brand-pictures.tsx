import { Form, Link, useNavigation } from 'react-router'
import { UPLOAD_MAX_MB } from '../../../domain/upload-size-and-file-types.ts'
import { SaveBrandPicture } from '../../../modules/facilities/operations/save-brand-picture.ts'
import { brandPictureFaults, brandPictures } from '../../../modules/facilities/rules/brand-pictures.ts'
import { hashBrandPictures } from '../../../modules/facilities/views/brand-and-facility-setup-forms.ts'
import { revalidateOnConflict } from '../../request/submit-or-report-offline.ts'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { ErrorSummary } from '../../ui/fields/error-summary.tsx'
import { FileField } from '../../ui/fields/text.tsx'
import { Logo } from '../../ui/logo.tsx'
import { formAnswer, officeAction, readOfficeForm } from '../office-action.ts'
import { OfficePageFrame, Section } from '../office-page-heading-and-sections.tsx'
import type { Route } from './+types/brand-pictures'
import { openWholeSetup } from './open-setup.ts'

export async function loader(args: Route.LoaderArgs) {
  const { brand, theme, services } = (await openWholeSetup(args)).site
  const sources = { logo: theme.logo, icon: theme.icon, shareImage: theme.share }
  return {
    brand: brand.name,
    key: services.random.uuid(),
    pictures: hashBrandPictures(brand).map(({ name, before }) => ({ name, src: sources[name], before })),
  }
}

export async function action(args: Route.ActionArgs) {
  const page = await openWholeSetup(args)
  const filesOfForm = { operation: SaveBrandPicture, tooLarge: brandPictureFaults.too_large }
  const form = await readOfficeForm(page, args.request, filesOfForm)
  const { picture = '', before = '' } = form.typed
  const isRemoval = form.intent === 'remove'
  const [file] = form.files
  if (!form.unread && !isRemoval && !file)
    return formAnswer(page, form, { fields: { [`${picture}-file`]: brandPictureFaults.missing } }, 400)
  return officeAction(page, form, {
    save: {
      operation: SaveBrandPicture,
      input: () => ({ picture, file: isRemoval ? null : file, before }),
      fieldNames: (name) => (name === 'file' ? `${picture}-file` : 'form'),
      done: 'saved',
    },
  })
}

export const shouldRevalidate = revalidateOnConflict

/** Page for the site's logo, icon and share image. */
export default function BrandPictures({ loaderData, actionData }: Route.ComponentProps) {
  const { brand, pictures } = loaderData
  const fields = actionData?.fields ?? {}
  const formKey = actionData?.key ?? loaderData.key
  return (
    <OfficePageFrame
      title="Pictures of the brand"
      brand={brand}
      failed={Object.keys(fields).length > 0}
      lead={
        <>
          <Link to="/office/setup">Setup</Link> · <Link to="/office/setup/brand">Brand</Link>
        </>
      }
    >
      <ErrorSummary errors={fields} general={['form']} />
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(20rem,100%),1fr))] gap-x-10">
        {pictures.map((picture) => (
          <Section key={picture.name} title={brandPictures[picture.name].title}>
            <Picture {...picture} brand={brand} formKey={formKey} error={fields[`${picture.name}-file`]} />
          </Section>
        ))}
      </div>
    </OfficePageFrame>
  )
}

/** Images shown where the operator has set none. Without a logo, the operator's name is shown. */
const defaultImages = { logo: '', icon: '/favicon.svg', shareImage: '/og.png' }

function Picture({
  name,
  src,
  before,
  brand,
  formKey,
  error,
}: Route.ComponentProps['loaderData']['pictures'][number] & {
  brand: string
  formKey: string
  error: string | undefined
}) {
  const { title, hint, width, height } = brandPictures[name]
  const imageSrc = src || defaultImages[name]
  const sending = useNavigation().formData
  const busy = sending?.get('picture') === name
  return (
    <Form method="post" encType="multipart/form-data" className="office-form">
      <input type="hidden" name="key" value={`${formKey}-${name}`} />
      <input type="hidden" name="picture" value={name} />
      <input type="hidden" name="before" value={before} />
      <p className="grid min-h-36 place-items-center rounded-card border border-line bg-wash p-4">
        {imageSrc === '' ? (
          <Logo name={brand} href={null} />
        ) : (
          <img
            src={imageSrc}
            alt={`${title} as it is`}
            className={`h-auto max-h-48 max-w-full ${name === 'icon' ? 'w-20' : 'w-auto'}`}
            {...(name === 'logo' ? {} : { width, height })}
          />
        )}
      </p>
      <FileField
        name="file"
        id={`${name}-file`}
        label={`New ${title.toLowerCase()}`}
        hint={`${hint} JPEG, PNG or WebP of at most ${UPLOAD_MAX_MB} MB.`}
        accept="image/jpeg,image/png,image/webp"
        error={error}
      />
      <ButtonRow>
        <Button kind="secondary" name="intent" value="save" busy={busy} busyLabel="Sending">
          Save the {title.toLowerCase()}
        </Button>
        {src && (
          <Button kind="quiet" name="intent" value="remove" formNoValidate busy={busy}>
            Take it away
          </Button>
        )}
      </ButtonRow>
    </Form>
  )
}
