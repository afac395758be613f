# Orders events by how far the groups' means lie apart, in standard deviations of the healthy.
cohort <- read.csv("cohort.csv", check.names = FALSE, colClasses = c(participant = "character"))
names <- setdiff(colnames(cohort), c("participant", "diseased"))
values <- as.matrix(cohort[names])
healthy <- values[cohort$diseased == 0, , drop = FALSE]
diseased <- values[cohort$diseased == 1, , drop = FALSE]
if (nrow(healthy) < 2) quit(status = 3)  # not applicable: there is no standard deviation

shift <- abs(colMeans(diseased) - colMeans(healthy)) / apply(healthy, 2, sd)
distance <- function(means) abs(sweep(values, 2, means))  # of each value
stages <- rowSums(distance(colMeans(diseased)) < distance(colMeans(healthy)))

# Base R writes no JSON.
quoted <- function(text) paste0('"', gsub('(["\\\\])', "\\\\\\1", text), '"')
writeLines(paste0(
  '{"order": [', paste(quoted(names[order(-shift)]), collapse = ", "), "], ",
  '"stages": {', paste0(quoted(cohort$participant), ": ", stages, collapse = ", "), "}}"
), "answer.json")
