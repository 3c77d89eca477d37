// Words of tools and of people who ask for them. General vocabulary only: no name of a product, server or tool.
// One group a line; each word stands for each other of its line. A word may stand in several lines.

const groups = (text: string): readonly (readonly string[])[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(' '))

/** Short and long forms, spellings, and forms of one word that a light stemmer keeps apart. */
export const sameWord: readonly (readonly string[])[] = groups(`
repo repository
dir directory folder
doc document
docs documentation
db database
config configuration
env environment
info information
param parameter
arg argument
admin administrator
app application
dev developer
prod production
spec specification
ref reference
img image
pic picture
photo photograph
vid video
msg message
mail email
mailbox inbox
sms text
tel telephone phone
addr address
lat latitude
lon lng long longitude
temp temperature
calc calculate
num number
qty quantity
amt amount
avg average mean
max maximum
min minimum
std standard
stat statistic
diff difference
dup duplicate
del delete
rm remove
mkdir folder
mv move
cp copy
exec execute
cmd command
sync synchronize
async asynchronous
gen generate
conv convert conversion
transcribe transcript
analyze analysis analytics
subscribe subscription
register registration
deploy deployment
compare comparison
identify id
pay payment
employ employee employment
maintain maintenance
publish publication
describe description
explain explanation
define definition
solve solution
respond response
assign assignee
own owner ownership
buy buyer purchase
sell sale
store storage
weigh weight
grow growth
lose loss
choose choice
speak speech
sing song
js javascript
ts typescript
py python
md markdown
html web
url link uri
pr pull request
mr merge request
ci pipeline
k8s kubernetes
vm machine virtual
os system operating
cpu processor
gpu graphics
ram memory
tz timezone
eta arrival
faq question
kpi metric
nft token
etf fund
gdp economy
usd dollar
eur euro
btc bitcoin
eth ethereum
crypto cryptocurrency
forex currency
ppt pptx powerpoint presentation slides
xls xlsx excel spreadsheet
doc docx word
csv spreadsheet
tv television
wiki wikipedia
univ university
gov government
org organization
dept department
prof professor
colour color
centre center
catalogue catalog
grey gray
analyse analyze
organise organize
summarise summarize
behaviour behavior
licence license
programme program
cancelled canceled
travelling traveling
theatre theater
aeroplane airplane plane
`)

/** Words that are used for the same in requests. */
export const sameUse: readonly (readonly string[])[] = groups(`
create make new generate build add produce compose draft
add insert append attach include put
delete remove erase drop discard clear clean purge wipe rid
get fetch retrieve read obtain load pull return
find search lookup query locate discover seek
list show display enumerate view browse see
update edit modify change alter revise adjust set
replace substitute swap
rename move relocate
send post submit deliver dispatch forward
write save store put persist record
run execute exec launch invoke start perform trigger
start begin launch initiate open boot
stop kill terminate cancel abort end halt quit close
pause suspend hold
resume continue restart
convert transform turn change
translate translation language
compute calculate work evaluate count
calculate calculator math arithmetic equation formula
compare diff difference versus contrast
merge combine join concatenate unite
split divide separate cut break
copy duplicate clone replicate
backup snapshot restore recover
undo revert rollback restore reset
open navigate goto visit browse
close shut
check validate verify inspect examine test
test assert check spec
fix repair correct resolve solve
book reserve schedule reservation
schedule plan arrange
buy purchase order shop
sell sale
pay payment transfer charge bill
rent lease hire
download fetch save grab
upload import push
export dump output
import load ingest
share publish distribute
subscribe follow watch
like favorite star bookmark
comment reply respond answer
answer question ask
approve accept confirm allow
reject decline deny refuse
invite add member
block ban mute
enable activate turn switch
disable deactivate turn switch
lock unlock secure
track monitor watch follow trace
log record history audit trail
measure gauge metric
rank sort order top best
filter select narrow
group categorize classify label tag
label tag category
describe explain tell inform
summarize abstract overview digest brief condense
analyze examine investigate study inspect evaluate assess
predict forecast project estimate
recommend suggest propose advise
rate review rating score
remind reminder alert notify notification alarm
draw paint sketch illustrate
design layout style theme
resize scale shrink enlarge crop
rotate flip turn
compress zip archive pack shrink
extract unzip unpack scrape
scrape crawl extract harvest
encrypt cipher protect
decode decrypt parse
parse interpret read
format beautify pretty lint
render draw produce
record capture
play listen watch stream
click press tap push
type enter input fill write
hover point
scroll swipe
wait delay sleep pause
login signin authenticate sign
logout signout
connect link attach join
disconnect detach unlink
install setup add
uninstall remove
deploy release ship publish
build compile
debug troubleshoot diagnose
commit save change
branch fork
push upload publish
pull download fetch
file document
folder directory path
text content body words
page website webpage site web
url link address
internet web online
image picture photo photograph
screenshot capture snapshot screen
video clip movie film footage
audio sound music recording
song track music tune
album playlist
lyrics words song
voice speech speak spoken
subtitle caption transcript
chart graph plot diagram visualization
map location place
slide deck presentation slideshow
sheet spreadsheet workbook table
table grid
row record entry
column field
cell box
note memo jotting
message chat conversation
chat talk conversation dialog
email mail message
thread discussion topic
channel room group
contact person people address
person people user individual human
user account profile member
member team participant
team group crew staff
friend follower contact
customer client buyer
employee staff worker
manager boss lead
author writer creator
owner holder proprietor
company business corporation firm enterprise
organization company institution
job career employment position vacancy work
salary wage income pay
resume cv
event meeting appointment
meeting call conference
calendar schedule agenda
task todo job
issue bug ticket problem defect
problem trouble error
error failure exception fault
project workspace
goal target objective
deadline due
date day
time clock hour
now current today present
latest newest recent last new
history past previous historical earlier
future upcoming next coming
nearby near around close
trending popular hot
random chance
command shell terminal console bash
script code program
code source program snippet
function method procedure
class type
variable value
package library module dependency
version release
branch ref
commit revision change
repository project codebase
container docker image
server host machine
cluster node
process task job
service daemon
port socket
network connection
domain hostname dns
website site domain
certificate ssl tls
vulnerability security risk exploit weakness
secret password credential key token
permission access right role
database table sql
schema structure model
query question
index catalog
cache temporary
key identifier id
field property attribute
property attribute characteristic
setting preference option configuration
price cost quote worth value rate
cheap affordable inexpensive low
expensive costly
discount coupon deal offer promotion sale
stock share equity security
ticker symbol
market exchange trade
trade buy sell order
portfolio holding investment
dividend payout
profit earnings income revenue gain
revenue sales income turnover
expense spending cost expenditure
budget finance money
money cash fund currency
currency money exchange
coin token cryptocurrency crypto
wallet account balance
balance amount remaining
bank financial account
loan mortgage credit debt
interest rate
tax taxation
invoice bill receipt
payment transaction transfer
fee charge cost
insurance coverage policy
weather forecast climate temperature
rain precipitation
wind storm
temperature heat degrees
location place position spot
coordinates latitude longitude geocode position
address street location
city town
country nation
region area zone
route directions path way itinerary
distance far length
drive car driving
car vehicle automobile auto
traffic congestion
parking park lot
travel trip journey tour vacation
flight plane airline airplane fly
train railway rail
bus coach transit
transit transport transportation
airport flight
hotel accommodation lodging stay room
apartment house home property rental
estate property house home
attraction sight landmark tourist
restaurant food dining eat
food meal dish cuisine
recipe cook dish meal
ingredient recipe
drink beverage cocktail wine
diet nutrition calorie
store shop retailer
product item goods merchandise
order purchase
cart basket
delivery shipping shipment
package parcel
review opinion feedback
movie film cinema
show series television
actor cast star
book novel literature
library book
game gaming play
match game fixture
sport league team
player athlete
score result point
tournament championship competition
music song artist
artist musician singer performer
concert gig event
ticket pass admission
news headline article story
article post story
blog post article
paper article publication study research literature
research study
author researcher scholar
citation reference cite
abstract summary
journal magazine publication
definition meaning
dictionary word definition
synonym thesaurus
word term
sentence phrase text
grammar spelling proofread
language tongue
lesson course class tutorial
course class training
student pupil learner
teacher tutor instructor
school college university education
quiz test exam question
learn study education
doctor physician medical
patient medical health
disease illness condition
symptom sign
drug medicine medication
hospital clinic
health medical wellness fitness
exercise workout fitness training
weight mass
height tall
sleep rest
gene genetic dna
protein molecule
trial experiment study
chemical compound substance molecule
element component
star planet space astronomy
animal pet
dog cat pet
plant flower garden
lawyer legal attorney
law legal legislation regulation
contract agreement
policy rule
rule regulation
crime police
government state public
election vote
statistics data
data dataset information
report summary document
dashboard overview panel
metric measure statistic
average mean
total sum count
number count amount quantity
percentage percent ratio
size length dimension
area surface
volume capacity
speed velocity
angle degree
sum add total
multiply product times
square power
root solution
prime factor
probability chance odds
random dice
matrix vector
sort order arrange
largest biggest highest maximum most
smallest lowest minimum least
details detail information info profile
metadata information attribute properties
overview summary introduction
status state condition
progress status
example sample
template pattern boilerplate
list collection set
item entry element
part section piece portion
section chapter part
beginning start first
end finish last
title name heading
name title
description text
image art artwork
icon logo symbol
color palette
font typeface
shape figure
line stroke
layer level
background wallpaper
camera photo
face portrait
background scene
meme joke funny
joke humor funny
quote saying
horoscope zodiac astrology
gift present
wedding marriage
baby child kid
child kid children
man male
woman female
device gadget machine
phone mobile smartphone
light lamp
sensor device
home house
room space
energy power electricity
water liquid
model ai
prompt instruction
embedding vector
agent assistant bot
bot assistant chatbot
assistant helper
memory remember knowledge recall
knowledge information
idea suggestion
browser web page
tab window
element component node
button control
form field input
cookie session
request call
response reply answer
api endpoint interface
webhook callback hook
header metadata
log console output
console log
bug error
performance speed
trace profile
pipeline workflow build
workflow automation process
release deployment
environment stage
test check
coverage test
monitor alert
alert warning alarm
incident outage
uptime availability
metric monitor
timezone time
language locale
`)
