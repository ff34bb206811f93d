# Users, rights and files.
own(u:string, r:string)
grant(from:string, to:string, r:string)
revoke(u:string, r:string)
open(u:string, r:string, f:string)
close(u:string, r:string, f:string)
