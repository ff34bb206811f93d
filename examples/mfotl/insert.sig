# User, database, participant and data; time counts in seconds.
insert(u:string, db:string, p:string, d:string)
