// What kind of thing a word names. People ask for the thing ("a pizza nearby"), tools are described by the kind ("food,
// restaurants"): the words behind the colon lead to those before it, not the other way round. General vocabulary only.

interface ThingsOfKinds {
  /** Words of people. */
  readonly things: readonly string[]
  /** Words of tools. */
  readonly kinds: readonly string[]
}

const lines = `
food restaurant meal: pizza burger hamburger sandwich sushi pasta noodle rice salad soup steak chicken beef pork fish seafood vegetable fruit bread cheese egg chocolate dessert cake snack breakfast lunch dinner brunch vegan vegetarian cuisine dish dining
food drink: coffee tea beer wine juice milk cocktail beverage smoothie whiskey
recipe cook: ingredient bake baking grill roast fry kitchen oven cookbook homemade
nutrition diet health: calorie protein carb carbohydrate vitamin gluten keto fat sugar macro
product shop: shoe sneaker boot shirt dress skirt pants jeans jacket coat hat bag watch laptop smartphone headphone toy furniture sofa chair desk mattress perfume cosmetic appliance electronics gadget accessory merchandise
fashion clothes: outfit wear dress shirt skirt shoe jacket style apparel clothing wardrobe garment
shop product price: buy cheap affordable bargain discount deal brand purchase retail seller
currency exchange: dollar euro pound yen yuan rupee franc peso won usd eur gbp jpy cny cad aud chf inr
cryptocurrency: bitcoin ethereum blockchain token coin wallet nft defi altcoin stablecoin btc eth
stock finance market: share ticker equity dividend portfolio broker bull bear ipo earnings index futures option bond
finance money: loan mortgage debt credit interest savings retirement pension budget cash deposit income salary wealth
financial statement: revenue profit income cashflow asset liability balance debt margin ebitda
tax: deduction vat refund withholding
invoice billing: bill receipt charge fee
company business: startup firm competitor industry brand corporation enterprise vendor supplier headquarters ceo founder
job career: resume interview hire hiring salary internship recruiter vacancy employment occupation profession candidate
legal law: lawyer attorney court lawsuit contract clause statute landlord tenant rights litigation judge case patent trademark copyright
medical health: doctor disease symptom illness cancer diabetes infection virus fever pain therapy surgery treatment diagnosis prescription allergy vaccine clinic hospital patient
drug medicine: pill dose dosage prescription pharmacy antibiotic aspirin
fitness exercise health: gym workout yoga running jogging muscle strength cardio steps marathon training bmi
mental health: anxiety depression stress meditation mindfulness sleep mood therapy
gene protein biology: dna rna genome mutation variant cell bacteria species organism enzyme
chemistry: molecule compound acid atom reaction element
physics: velocity acceleration force gravity momentum energy mass voltage current resistance magnetic electric
math calculate: equation algebra integral derivative calculus factorial prime fraction logarithm exponent sine cosine polynomial quadratic multiply divide subtract plus minus percentage solve
geometry shape: triangle circle rectangle square radius diameter perimeter area volume angle polygon sphere cylinder cone cube
statistics: average mean median mode variance deviation correlation regression probability distribution sample
unit convert: meter kilometer mile foot feet inch pound kilogram gram ounce liter gallon celsius fahrenheit kelvin
weather forecast: rain snow sunny storm hurricane cloud cloudy wind humidity humid umbrella hot cold temperature climate tornado
temperature: hot cold warm celsius fahrenheit degree
travel trip: vacation holiday tourist tourism itinerary visit journey destination abroad passport visa sightseeing backpacking cruise
hotel travel: resort hostel inn accommodation lodging suite checkin
flight travel: airline airport plane layover boarding fly departure
train station: railway rail subway metro tram platform
car vehicle: drive driving sedan suv truck motorcycle engine mileage dealership automobile taxi
route directions map: navigate drive walk bike cycling shortest fastest traffic commute
place location map: landmark museum park beach monument bridge temple church castle attraction neighborhood venue nearest nearby store cafe mall gas pharmacy
address geocode: street zip postal postcode block
house property estate: apartment rent rental bedroom condo mortgage landlord tenant villa condo realtor buy
movie film: cinema watch actor actress director trailer blockbuster comedy horror thriller scifi
show movie tv: episode series season sitcom anime streaming watch
music song: album artist band singer lyrics concert guitar piano chord melody genre jazz rock pop playlist listen track beat tempo musician
event ticket: concert festival show theater theatre opera musical broadway exhibition museum
art image: painting sculpture artwork drawing portrait gallery museum artist sketch illustration
game: chess poker puzzle sudoku quiz trivia riddle level player tournament crossword dice
sport game: football soccer basketball baseball tennis golf hockey cricket rugby team player score match league championship athlete
book: novel author fiction read reading chapter library literature bestseller publisher ebook
story write: tale fairy narrative plot character fiction bedtime poem poetry
news: headline journalist press politics breaking report current article
politics government: election president senator congress parliament vote policy law bill minister
history event: war battle treaty empire king queen revolution century ancient medieval president
education course learn: school student class lesson tutorial curriculum homework exam study teacher skill certificate degree college university lecture training
language translate: english french spanish german chinese japanese korean italian russian portuguese arabic foreign
grammar write text: spelling sentence essay paragraph proofread rewrite paraphrase punctuation wording phrasing tone
paper research: study journal scientist academic scholarly thesis citation literature experiment peer preprint
date time: today tomorrow yesterday week month year day hour minute deadline weekday birthday anniversary
calendar event: meeting appointment invite availability reminder attendee agenda
task todo: checklist chore errand reminder deadline
note document: memo jot notebook journal diary
email message: inbox mail newsletter sender recipient reply
message chat: dm text sms conversation channel notify
social media: tweet post hashtag influencer follower viral like feed
video: clip footage watch movie film subtitle stream recording animation
image: photo picture thumbnail logo icon banner avatar wallpaper photograph selfie meme
audio: sound podcast voice recording speech mp3 wav noise
speech voice: pronounce narrate spoken speak aloud
presentation slide: deck keynote pitch
spreadsheet table: excel csv sheet row column cell formula pivot
document file: pdf docx report letter manuscript contract form
chart data: graph plot visualize bar pie histogram trend dashboard scatter
diagram chart: flowchart mindmap architecture uml sequence
website page web: homepage blog landing seo hosting
seo website: ranking keyword backlink traffic
domain dns: hostname whois nameserver registrar
network ip: ping router firewall port latency bandwidth
security vulnerability: hack breach malware phishing exploit attack password
password account: login credential signin
code program: python java javascript typescript rust golang php ruby cpp algorithm class function compiler script snippet debug
repository git: commit branch merge fork clone version
pull request: review branch merge approve reviewer
issue bug: defect ticket crash regression fix
package dependency: npm pip library module install upgrade outdated
database query: sql table row record postgres mysql sqlite mongodb schema select insert join
cloud server: instance bucket lambda vm
container cluster: docker kubernetes pod image node helm
log error monitor: exception crash trace stack outage latency alert incident
file: folder path text disk rename
browser page: click scroll tab screenshot button url link webpage
customer crm: lead deal contact sales prospect pipeline opportunity account
payment: card checkout refund charge subscription
marketing ad: campaign advertising promotion audience conversion brand copywriting slogan
gift: birthday present christmas valentine anniversary wedding
pet animal: dog cat puppy kitten bird breed veterinarian
plant garden: flower tree seed crop farm soil
astrology: horoscope zodiac tarot sign
space astronomy: planet moon star mars galaxy satellite orbit solar asteroid
environment energy: carbon emission solar renewable pollution recycling climate electricity
home device: light lamp thermostat lock switch sensor camera
color: red green blue yellow hex rgb hue shade palette
person user: friend colleague customer member employee people
`

export const thingsOfKinds: readonly ThingsOfKinds[] = lines
  .trim()
  .split('\n')
  .map((line) => {
    const [kinds = '', things = ''] = line.split(': ')
    return { things: things.split(' '), kinds: kinds.split(' ') }
  })
