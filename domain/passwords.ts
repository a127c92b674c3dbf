/** Passwords that everybody tries first (OWASP ASVS 2.1.7): the commonest words and rows of keys, and what is made of them. */

/** Stems; with digits and signs around them they are tried as well. */
const stems =
  `password passwort passw0rd letmein welcome admin administrator login guest master shadow sunshine princess
dragon monkey football baseball basketball soccer hockey superman batman pokemon starwars trustno iloveyou loveme whatever
qwerty qwertz azerty qazwsx asdfgh zxcvbn abcdef abcabc michael jordan jennifer jessica ashley daniel charlie thomas robert
andrew matthew michelle nicole jasmine hunter ranger buster killer pepper ginger cookie cheese chocolate banana summer winter
spring autumn monday friday january december flower freedom secret computer internet samsung google facebook mustang corvette
ferrari harley yankees cowboys eagles steelers lakers liverpool arsenal chelsea america storage latchkey selfstorage changeme
default test testing hello hellothere lovely angel blessed jesus jesuschrist family forever mypassword newpassword
matrix abc amanda andrea anthony apple apples arthur asdf asdasd austin awesome bailey barney batista beer
benjamin bigdog birdie blink boomer booboo boston brandon brandy brazil bubbles buddy bulldog butter calvin camaro cameron canada
captain caroline carlos casper charles cherry chester chevy chicago chicken chris christian christine claire coffee compaq connor
corona cowboy crystal daddy dakota dallas david debbie denise dennis diablo diamonds doctor dolphin donald dreams driver eagle
edward elephant elizabeth emily enter eric explorer falcon fender fishing florida ford forest frank franklin fred friend friends
games garden gateway gemini george giants gibson golf gordon guitar hammer hannah happy heather
heaven helpme herbert honda hotdog houston hiphop hunting iceman iloveu indian isabel jackie jackson jaguar james
jasper jeremy johnny johnson jonathan joseph joshua julian justin katie kawasaki kelly kevin kitty knight lauren leather legend leslie
lizard london lucky madison maggie marina marine marlboro martin maxwell melissa mercedes merlin mickey miller minnie miracle money
monica monster morgan mother mountain mozart murphy natalie nascar nathan newyork nicholas nothing october oliver olivia packers
panther parker patrick peaches peanut people peter pass passpass passwd player please porsche prince private rachel raiders
rainbow rangers rebecca redsox richard rocket rosebud runner samantha samson sandra saturn scooby scooter scorpion sebastian september
sharon shannon sierra simple skippy slayer smokey smith snickers sophie southpark spanky spider spiderman squirt stella
steven sticky strawberry success sunday super superstar suzuki sweet sydney taylor teacher tennis teresa texas tiffany tinker
toyota travis trigger trouble tucker turtle vampire victor victoria viking vincent virginia volvo walter warrior westside
white wilson winner winston wizard wolf xavier yamaha zaqwsx zorro
access phoenix maverick thunder tigger snoopy orange purple yellow diamond silver golden butterfly unicorn`
    .split(/\s+/)
    .filter(Boolean)

const known = new Set(stems)
const rows = [
  '1234567890',
  '0987654321',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'abcdefghijklmnopqrstuvwxyz',
  '1q2w3e4r5t6y7u8i9o0p',
]

/** Written the way people bend words: 'P@ssw0rd' is 'password'. */
const straightened = (text: string) =>
  text
    .toLowerCase()
    .replace(/[@4]/g, 'a')
    .replace(/0/g, 'o')
    .replace(/[1!|]/g, 'i')
    .replace(/3/g, 'e')
    .replace(/[5$]/g, 's')
    .replace(/7/g, 't')

/**
 * Why a password is refused beyond its length; null where it is not.
 * @param own what belongs to the account and is tried first: e-mail address, username
 */
export function weakPassword(password: string, own: readonly string[]): string | null {
  const lower = password.toLowerCase()
  const bare = lower.replace(/[^a-z]/g, '')
  const tooCommon = 'This password is one of those that are tried first. Choose another one.'
  if (new Set(lower).size <= 2) return tooCommon
  if (rows.some((row) => row.repeat(2).includes(lower))) return tooCommon
  const core = lower.replace(/^[^a-z@$]+|[^a-z@$]+$/g, '')
  if ([bare, core, straightened(core), straightened(lower).replace(/[^a-z]/g, '')].some((form) => known.has(form)))
    return tooCommon
  if (/^(\d)\1*$|^(?:0?1?23456789?0?|19\d\d19\d\d|20\d\d20\d\d)$/.test(lower)) return tooCommon
  if (own.some((name) => name !== '' && (lower === name.toLowerCase() || lower === name.toLowerCase().split('@')[0])))
    return 'Your password must not be your e-mail address or username.'
  return null
}
