# Employee and transaction; time counts in days.
auth(e:string, t:int)
trans(c:string, t:int, a:int)
